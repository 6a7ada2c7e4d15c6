package io.osmhub.demo.stage;

/** A MachineDeployment of one worker cluster, and what the hub calls its secrets. */
public record MachineDeploymentName(String namespace, String name) implements Comparable<MachineDeploymentName> {
    /** The namespace of worker clusters that configuration secrets lie in. */
    public static final String SECRETS_NAMESPACE = "cloud-init-settings";

    /** What the cloud hands to a starting machine. */
    public String bootstrapSecret() {
        return name + "-" + namespace + "-bootstrap-config";
    }

    /** What the machine fetches then. */
    public String provisioningSecret() {
        return name + "-" + namespace + "-provisioning-config";
    }

    @Override
    public int compareTo(MachineDeploymentName other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}

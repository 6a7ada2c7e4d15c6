package io.osmhub.demo.stage;

/** A MachineDeployment of one worker cluster, and the names of its secrets. */
public record MachineDeploymentName(String namespace, String name) implements Comparable<MachineDeploymentName> {
    /** The namespace of configuration secrets in worker clusters. */
    public static final String SECRETS_NAMESPACE = "cloud-init-settings";

    /** The user-data of a starting machine. */
    public String bootstrapSecret() {
        return name + "-" + namespace + "-bootstrap-config";
    }

    /** What the machine then fetches. */
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

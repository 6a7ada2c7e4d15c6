package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ObjectNames;

/** What a Secret in {@code cloud-init-settings} is for. */
public enum SecretRole {
    KUBELET_BOOTSTRAP,
    EDGE_SCRIPT,
    PROVISIONING,
    /** A machine starts once it exists. */
    BOOTSTRAP;

    /** Name of the MachineDeployment's Secret with this role. */
    public String name(ObjectNames names) {
        return switch (this) {
            case KUBELET_BOOTSTRAP -> names.kubeletBootstrapSecret();
            case EDGE_SCRIPT -> names.edgeScriptSecret();
            case PROVISIONING -> names.provisioningSecret();
            case BOOTSTRAP -> names.bootstrapSecret();
        };
    }

    /** The data key from which machines are built; the only one, except for a scoped fetch token. */
    public String dataKey() {
        return switch (this) {
            case KUBELET_BOOTSTRAP -> "kubeconfig";
            case EDGE_SCRIPT -> "fetch-bootstrap-script";
            case PROVISIONING, BOOTSTRAP -> "cloud-config";
        };
    }
}

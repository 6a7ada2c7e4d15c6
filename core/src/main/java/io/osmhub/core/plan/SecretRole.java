package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ObjectNames;

/** What a Secret in {@code cloud-init-settings} is for. */
public enum SecretRole {
    KUBELET_BOOTSTRAP,
    EDGE_SCRIPT,
    PROVISIONING,
    /** A machine starts once it is there. */
    BOOTSTRAP;

    /** Name of a MachineDeployment's Secret of this role. */
    public String name(ObjectNames names) {
        return switch (this) {
            case KUBELET_BOOTSTRAP -> names.kubeletBootstrapSecret();
            case EDGE_SCRIPT -> names.edgeScriptSecret();
            case PROVISIONING -> names.provisioningSecret();
            case BOOTSTRAP -> names.bootstrapSecret();
        };
    }

    /** The key of its data that machines are made from; its only one, unless machines fetch with a token of their own. */
    public String dataKey() {
        return switch (this) {
            case KUBELET_BOOTSTRAP -> "kubeconfig";
            case EDGE_SCRIPT -> "fetch-bootstrap-script";
            case PROVISIONING, BOOTSTRAP -> "cloud-config";
        };
    }
}

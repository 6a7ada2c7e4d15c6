package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The documents rendered for a MachineDeployment. */
public enum DocumentName {
    @JsonProperty("Bootstrap")
    BOOTSTRAP,
    @JsonProperty("Provisioning")
    PROVISIONING,
    @JsonProperty("KubeletBootstrap")
    KUBELET_BOOTSTRAP,
    @JsonProperty("EdgeScript")
    EDGE_SCRIPT,
    /** The source of the other documents. */
    @JsonProperty("OperatingSystemConfig")
    OPERATING_SYSTEM_CONFIG
}

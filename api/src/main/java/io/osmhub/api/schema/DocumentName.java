package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The documents that are rendered for a MachineDeployment. */
public enum DocumentName {
    @JsonProperty("Bootstrap")
    BOOTSTRAP,
    @JsonProperty("Provisioning")
    PROVISIONING,
    @JsonProperty("KubeletBootstrap")
    KUBELET_BOOTSTRAP,
    @JsonProperty("EdgeScript")
    EDGE_SCRIPT,
    /** The object that the others are made from. */
    @JsonProperty("OperatingSystemConfig")
    OPERATING_SYSTEM_CONFIG
}

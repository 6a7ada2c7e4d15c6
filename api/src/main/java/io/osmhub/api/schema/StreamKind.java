package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Kinds of objects in the event stream. */
public enum StreamKind {
    @JsonProperty("WorkerCluster")
    WORKER_CLUSTER,
    @JsonProperty("OperatingSystemProfile")
    OPERATING_SYSTEM_PROFILE,
    @JsonProperty("OperatingSystemConfig")
    OPERATING_SYSTEM_CONFIG,
    @JsonProperty("MachineDeployment")
    MACHINE_DEPLOYMENT,
    @JsonProperty("Problem")
    PROBLEM
}

package io.osmhub.api.schema;

/** Number of users of a profile that are visible to the caller. */
public record UsedBy(int workerClusters, int machineDeployments) {}

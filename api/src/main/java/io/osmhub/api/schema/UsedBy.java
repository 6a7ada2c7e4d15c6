package io.osmhub.api.schema;

/** How many use a profile, of those that the caller may see. */
public record UsedBy(int workerClusters, int machineDeployments) {}

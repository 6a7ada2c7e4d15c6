package io.osmhub.workersync.reconcile;

/**
 * What removing a tenant left in its worker cluster.
 *
 * @param secrets remaining Secrets with the hub's mark, including bootstrap tokens
 * @param finalizers MachineDeployments that still have the hub's finalizer
 * @param cause why the removal is incomplete; empty if it is complete
 */
public record CleanupResult(boolean complete, int secrets, int finalizers, String cause) {}

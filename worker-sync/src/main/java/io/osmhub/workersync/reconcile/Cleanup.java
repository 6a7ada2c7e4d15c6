package io.osmhub.workersync.reconcile;

/**
 * What removing a tenant left in its worker cluster.
 *
 * @param complete nothing was left
 * @param secrets that bear the hub's mark and are still there, bootstrap tokens among them
 * @param finalizers MachineDeployments that still have the hub's finalizer
 * @param cause why something was left, for people; empty when nothing was
 */
public record Cleanup(boolean complete, int secrets, int finalizers, String cause) {}

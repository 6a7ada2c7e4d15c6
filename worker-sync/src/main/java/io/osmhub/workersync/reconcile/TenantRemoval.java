package io.osmhub.workersync.reconcile;

import io.osmhub.workersync.watch.ObjectKey;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** State of a tenant's removal. Thread-safe. */
final class TenantRemoval {
    private final boolean deletesObjects;
    private final Set<ObjectKey> left = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<CleanupResult> completion = new CompletableFuture<>();
    private volatile String cause = "timed out";

    /** @param deletes false: keep the objects, to leave the cluster to another controller; remove only finalizers */
    TenantRemoval(boolean deletes) {
        this.deletesObjects = deletes;
    }

    boolean deletesObjects() {
        return deletesObjects;
    }

    CompletableFuture<CleanupResult> completion() {
        return completion;
    }

    void add(ObjectKey key) {
        left.add(key);
    }

    /** Returns true for the last MachineDeployment. */
    boolean markDone(ObjectKey key) {
        return left.remove(key) && left.isEmpty();
    }

    /** Whether only the sweep remains. */
    boolean isSweepAlone() {
        return left.isEmpty();
    }

    void recordFailure(String why) {
        cause = why;
    }

    String cause() {
        return cause;
    }
}

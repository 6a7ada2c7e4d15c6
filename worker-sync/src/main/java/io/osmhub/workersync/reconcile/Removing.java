package io.osmhub.workersync.reconcile;

import io.osmhub.workersync.watch.ObjectKey;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The removal of a tenant while it is under way. Safe for use by many threads. */
final class Removing {
    private final boolean deletes;
    private final Set<ObjectKey> left = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Cleanup> end = new CompletableFuture<>();
    private volatile String cause = "it was not reached in time";

    /** @param deletes false: objects stay, to hand the cluster over; only finalizers go */
    Removing(boolean deletes) {
        this.deletes = deletes;
    }

    boolean deletes() {
        return deletes;
    }

    CompletableFuture<Cleanup> end() {
        return end;
    }

    void add(ObjectKey key) {
        left.add(key);
    }

    /** Returns true when it was the last MachineDeployment. */
    boolean done(ObjectKey key) {
        return left.remove(key) && left.isEmpty();
    }

    /** Whether no MachineDeployment is left to do. */
    boolean isSweepAlone() {
        return left.isEmpty();
    }

    void failed(String why) {
        cause = why;
    }

    String cause() {
        return cause;
    }
}

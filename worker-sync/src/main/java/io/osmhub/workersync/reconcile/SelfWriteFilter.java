package io.osmhub.workersync.reconcile;

import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Distinguishes the hub's own writes from those of others. The watch often delivers a write before its response arrives, so
 * events during a run are held until it ends, and those that its responses explain trigger nothing. Thread-safe.
 */
final class SelfWriteFilter {
    private final Set<ObjectKey> runningKeys = new HashSet<>();
    /** Keys of MachineDeployments whose run is in progress, by object. */
    private final Map<ObservedVersion, Set<ObjectKey>> deferredKeys = new HashMap<>();

    /**
     * An observed state of an object.
     *
     * @param version empty for kinds whose writes carry the version that they rely on, so that a response never includes another
     *     writer's change
     */
    record ObservedVersion(Resource resource, ObjectKey key, String version) {
        ObservedVersion(Resource resource, ObjectKey key) {
            this(resource, key, "");
        }
    }

    synchronized void beginRun(ObjectKey machineDeployment) {
        runningKeys.add(machineDeployment);
    }

    /** Returns true if the event is held until the run ends; false if nothing is running and the caller must act. */
    synchronized boolean deferIfRunning(ObservedVersion observed, ObjectKey machineDeployment) {
        if (!runningKeys.contains(machineDeployment)) {
            return false;
        }
        deferredKeys.computeIfAbsent(observed, any -> new HashSet<>()).add(machineDeployment);
        return true;
    }

    /** A write's response explains the observed state: it includes only the hub's write. */
    synchronized void recordSelfWrite(ObservedVersion observed) {
        deferredKeys.remove(observed);
    }

    /** Returns true if an event during the run was not caused by it. */
    synchronized boolean endRun(ObjectKey machineDeployment) {
        runningKeys.remove(machineDeployment);
        boolean othersWrote = false;
        for (Set<ObjectKey> keys : deferredKeys.values()) {
            othersWrote |= keys.remove(machineDeployment);
        }
        deferredKeys.values().removeIf(Set::isEmpty);
        return othersWrote;
    }
}

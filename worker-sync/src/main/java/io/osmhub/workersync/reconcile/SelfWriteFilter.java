package io.osmhub.workersync.reconcile;

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
    private final Set<ObjectKey> running = new HashSet<>();
    private final Map<ObservedVersion, Set<ObjectKey>> deferred = new HashMap<>();

    enum ObjectKind {
        MACHINE_DEPLOYMENT,
        SECRET,
        TOKEN,
        GRANT
    }

    /**
     * {@code version} is empty for kinds whose writes carry the version that they rely on, so that a response never includes
     * another writer's change.
     */
    private record ObservedVersion(ObjectKind kind, ObjectKey key, String version) {}

    synchronized void beginRun(ObjectKey machineDeployment) {
        running.add(machineDeployment);
    }

    /** Returns true if the event is held until the run ends; false if nothing is running and the caller must act. */
    boolean deferIfRunning(ObjectKind kind, ObjectKey object, ObjectKey machineDeployment) {
        return deferIfRunning(new ObservedVersion(kind, object, ""), machineDeployment);
    }

    /** As above, for the MachineDeployment itself. */
    boolean deferIfRunning(ObjectKey machineDeployment, String version) {
        return deferIfRunning(
                new ObservedVersion(ObjectKind.MACHINE_DEPLOYMENT, machineDeployment, version), machineDeployment);
    }

    private synchronized boolean deferIfRunning(ObservedVersion thing, ObjectKey machineDeployment) {
        if (!running.contains(machineDeployment)) {
            return false;
        }
        deferred.computeIfAbsent(thing, any -> new HashSet<>()).add(machineDeployment);
        return true;
    }

    /** A write's response explains the observed state of the object. */
    void recordSelfWrite(ObjectKind kind, ObjectKey object) {
        recordSelfWrite(new ObservedVersion(kind, object, ""));
    }

    /** A write's response shows that this version of the MachineDeployment includes only the hub's write. */
    void recordSelfWrite(ObjectKey machineDeployment, String version) {
        recordSelfWrite(new ObservedVersion(ObjectKind.MACHINE_DEPLOYMENT, machineDeployment, version));
    }

    private synchronized void recordSelfWrite(ObservedVersion thing) {
        deferred.remove(thing);
    }

    /** Returns true if an event during the run was not caused by it. */
    synchronized boolean endRun(ObjectKey machineDeployment) {
        running.remove(machineDeployment);
        boolean others = false;
        for (Set<ObjectKey> waiting : deferred.values()) {
            others |= waiting.remove(machineDeployment);
        }
        deferred.values().removeIf(Set::isEmpty);
        return others;
    }
}

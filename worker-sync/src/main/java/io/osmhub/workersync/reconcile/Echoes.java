package io.osmhub.workersync.reconcile;

import io.osmhub.workersync.watch.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells what the hub wrote itself from what others did. The watch often brings a write before its answer is there; what comes
 * while a MachineDeployment is being worked on therefore waits for the end of the run, and what the answers account for asks
 * for nothing. Safe for use by many threads.
 */
final class Echoes {
    private final Set<ObjectKey> running = new HashSet<>();
    private final Map<Thing, Set<ObjectKey>> unexplained = new HashMap<>();

    /** What an event is about. */
    enum Kind {
        MACHINE_DEPLOYMENT,
        SECRET,
        TOKEN,
        GRANT
    }

    /** {@code version} is empty where no answer holds what others wrote, because the write carried the version that it relied on. */
    private record Thing(Kind kind, ObjectKey key, String version) {}

    synchronized void begins(ObjectKey machineDeployment) {
        running.add(machineDeployment);
    }

    /** True when it is kept for the end of the run; false when nothing runs and the caller has to act. */
    boolean heard(Kind kind, ObjectKey object, ObjectKey machineDeployment) {
        return heard(new Thing(kind, object, ""), machineDeployment);
    }

    /** Of the MachineDeployment itself. */
    boolean heard(ObjectKey machineDeployment, String version) {
        return heard(new Thing(Kind.MACHINE_DEPLOYMENT, machineDeployment, version), machineDeployment);
    }

    private synchronized boolean heard(Thing thing, ObjectKey machineDeployment) {
        if (!running.contains(machineDeployment)) {
            return false;
        }
        unexplained.computeIfAbsent(thing, any -> new HashSet<>()).add(machineDeployment);
        return true;
    }

    /** The answer to a write says that the object is as it was heard. */
    void explained(Kind kind, ObjectKey object) {
        explained(new Thing(kind, object, ""));
    }

    /** The response to a write shows that only the hub's write led to this version of the MachineDeployment. */
    void explained(ObjectKey machineDeployment, String version) {
        explained(new Thing(Kind.MACHINE_DEPLOYMENT, machineDeployment, version));
    }

    private synchronized void explained(Thing thing) {
        unexplained.remove(thing);
    }

    /** True when something was heard during the run that is not the run's own doing. */
    synchronized boolean ends(ObjectKey machineDeployment) {
        running.remove(machineDeployment);
        boolean others = false;
        for (Set<ObjectKey> waiting : unexplained.values()) {
            others |= waiting.remove(machineDeployment);
        }
        unexplained.values().removeIf(Set::isEmpty);
        return others;
    }
}

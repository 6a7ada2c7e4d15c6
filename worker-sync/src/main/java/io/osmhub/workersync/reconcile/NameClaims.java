package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps names to the MachineDeployments that claim them: usually one, two if they collide. Finds the MachineDeployments that an
 * object may belong to. Thread-safe.
 */
public final class NameClaims {
    private final Map<String, List<ObjectKey>> byName = new HashMap<>();

    /** Claim for a Secret in {@code cloud-init-settings}. */
    public static String secret(String name) {
        return "Secret " + name;
    }

    /** Claim for a bootstrap token, by its label. */
    public static String token(String label) {
        return "bootstrap token label " + label;
    }

    public static String config(String name) {
        return "OperatingSystemConfig " + name;
    }

    /** Updates the claims of a MachineDeployment. Returns the others whose claims overlap the old or the new ones. */
    public synchronized Set<ObjectKey> changed(
            ObjectKey key, @Nullable MachineDeployment before, @Nullable MachineDeployment after) {
        boolean claimed = before != null && claims(before);
        boolean claiming = after != null && claims(after);
        if (claimed == claiming) {
            return Set.of();
        }
        Set<ObjectKey> others = new LinkedHashSet<>();
        for (String claim : new ObjectNames(key.namespace(), key.name()).claimedNames()) {
            List<ObjectKey> known = byName.getOrDefault(claim, List.of());
            others.addAll(known);
            List<ObjectKey> now = new ArrayList<>(known);
            now.remove(key);
            if (claiming) {
                now.add(key);
            }
            if (now.isEmpty()) {
                byName.remove(claim);
            } else {
                byName.put(claim, List.copyOf(now));
            }
        }
        others.remove(key);
        return others;
    }

    /** MachineDeployments that claim a name. */
    public synchronized List<ObjectKey> claimants(String claim) {
        return byName.getOrDefault(claim, List.of());
    }

    /** Other MachineDeployments that claim one of its names. */
    synchronized Set<ObjectKey> rivals(ObjectKey key) {
        Set<ObjectKey> rivals = new LinkedHashSet<>();
        for (String claim : new ObjectNames(key.namespace(), key.name()).claimedNames()) {
            rivals.addAll(claimants(claim));
        }
        rivals.remove(key);
        return rivals;
    }

    /** A MachineDeployment that never named a profile has no objects. */
    public static boolean claims(MachineDeployment machineDeployment) {
        return !machineDeployment.profileName().isEmpty() || machineDeployment.hasFinalizer();
    }
}

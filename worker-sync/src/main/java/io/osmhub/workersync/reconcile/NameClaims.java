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
final class NameClaims {
    private final Map<String, List<ObjectKey>> claimantsByName = new HashMap<>();

    /** Claim for a Secret in {@code cloud-init-settings}. */
    static String secret(String name) {
        return "Secret " + name;
    }

    /** Claim for a bootstrap token, by its label. */
    static String token(String label) {
        return "bootstrap token label " + label;
    }

    static String config(String name) {
        return "OperatingSystemConfig " + name;
    }

    /** Updates the claims of a MachineDeployment. Returns the others whose claims overlap the old or the new ones. */
    synchronized Set<ObjectKey> changed(
            ObjectKey key, @Nullable MachineDeployment before, @Nullable MachineDeployment after) {
        boolean claimed = before != null && claims(before);
        boolean claiming = after != null && claims(after);
        if (claimed == claiming) {
            return Set.of();
        }
        for (String claim : new ObjectNames(key.namespace(), key.name()).claimedNames()) {
            List<ObjectKey> claimants = new ArrayList<>(claimants(claim));
            claimants.remove(key);
            if (claiming) {
                claimants.add(key);
            }
            if (claimants.isEmpty()) {
                claimantsByName.remove(claim);
            } else {
                claimantsByName.put(claim, List.copyOf(claimants));
            }
        }
        return rivals(key);
    }

    /** MachineDeployments that claim a name. */
    synchronized List<ObjectKey> claimants(String claim) {
        return claimantsByName.getOrDefault(claim, List.of());
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
    static boolean claims(MachineDeployment machineDeployment) {
        return !machineDeployment.profileName().isEmpty() || machineDeployment.hasFinalizer();
    }
}

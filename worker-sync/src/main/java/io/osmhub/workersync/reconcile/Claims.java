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
 * Which MachineDeployments claim a name: almost always one, sometimes two that collide. Leads from an object back to whom it may
 * concern. Safe for use by many threads.
 */
public final class Claims {
    private final Map<String, List<ObjectKey>> byName = new HashMap<>();

    /** Of a Secret in {@code cloud-init-settings}. */
    public static String secret(String name) {
        return "Secret " + name;
    }

    /** Of a bootstrap token, by its label. */
    public static String token(String label) {
        return "bootstrap token label " + label;
    }

    /** Of an OperatingSystemConfig. */
    public static String config(String name) {
        return "OperatingSystemConfig " + name;
    }

    /** A MachineDeployment came, changed or went. Returns the others whose claims meet the old or the new ones. */
    public synchronized Set<ObjectKey> changed(
            ObjectKey key, @Nullable MachineDeployment before, @Nullable MachineDeployment after) {
        boolean claimed = before != null && claims(before);
        boolean claiming = after != null && claims(after);
        if (claimed == claiming) {
            return Set.of();
        }
        Set<ObjectKey> others = new LinkedHashSet<>();
        for (String claim : new ObjectNames(key.namespace(), key.name()).claims()) {
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

    /** Who claims a name. */
    public synchronized List<ObjectKey> of(String claim) {
        return byName.getOrDefault(claim, List.of());
    }

    /** The others that claim one of its names. */
    synchronized Set<ObjectKey> rivals(ObjectKey key) {
        Set<ObjectKey> rivals = new LinkedHashSet<>();
        for (String claim : new ObjectNames(key.namespace(), key.name()).claims()) {
            rivals.addAll(of(claim));
        }
        rivals.remove(key);
        return rivals;
    }

    /** One that names no profile and never did has no objects. */
    public static boolean claims(MachineDeployment machineDeployment) {
        return !machineDeployment.profileName().isEmpty() || machineDeployment.hasFinalizer();
    }
}

package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Reason;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Two MachineDeployments whose names give one object name: says to whom it belongs, the same for both of them. The owner is the
 * one that the object's mark names; without a mark, the one that the object fits; else the older one.
 */
final class Collisions {
    private static final Comparator<MachineDeployment> OLDER_FIRST = Comparator.<MachineDeployment, Instant>comparing(
                    machineDeployment -> Objects.requireNonNullElse(machineDeployment.creationTimestamp(), Instant.MAX))
            .thenComparing(MachineDeployment::namespace)
            .thenComparing(MachineDeployment::name);

    private final Facts facts;
    private final Marks marks;
    private final ObjectNames names;
    private final BiPredicate<Facts.Rival, SortedMap<String, StoredSecret>> fits;

    /** @param fits whether unmarked secrets hold what a MachineDeployment would get; asked only when it matters */
    Collisions(Facts facts, Marks marks, BiPredicate<Facts.Rival, SortedMap<String, StoredSecret>> fits) {
        this.facts = facts;
        this.marks = marks;
        this.names = ObjectNames.of(facts.machineDeployment());
        this.fits = fits;
    }

    /** A name that belongs to another one; null when all are its own. */
    record Lost(String name, MachineDeployment owner) {
        Diagnosis diagnosis(String tenant, MachineDeployment loser) {
            int blank = name.lastIndexOf(' ');
            return Diagnosis.of(
                    Reason.NameCollision,
                    Map.of(
                            "tenant", tenant,
                            "md", Marks.owner(loser),
                            "kind", name.substring(0, blank),
                            "name", name.substring(blank + 1),
                            "md2", Marks.owner(owner)));
        }
    }

    @Nullable Lost find() {
        // In a namespace kubelet, a name too long for the usual key gives one name to two secrets.
        if (names.bootstrapSecret().equals(names.kubeletBootstrapSecret())) {
            return new Lost("Secret " + names.bootstrapSecret(), facts.machineDeployment());
        }
        for (Facts.Rival rival : facts.rivals()) {
            SortedSet<String> shared = new TreeSet<>(names.claims());
            shared.retainAll(ObjectNames.of(rival.machineDeployment()).claims());
            if (!shared.isEmpty() && claims(rival.machineDeployment()) && !owns(rival, shared)) {
                return new Lost(shared.first(), rival.machineDeployment());
            }
        }
        return null;
    }

    private boolean claims(MachineDeployment other) {
        boolean itself = Marks.owner(other).equals(marks.owner());
        return !itself && (!other.profileName().isEmpty() || other.hasFinalizer());
    }

    /** Whether what is shared with a rival belongs to the MachineDeployment. */
    private boolean owns(Facts.Rival rival, SortedSet<String> shared) {
        SortedMap<String, StoredSecret> unmarked = new TreeMap<>();
        for (Map.Entry<String, Map<String, String>> found : annotations(shared).entrySet()) {
            String owner = found.getValue().get(Marks.OWNER);
            if (marks.owner().equals(owner)) {
                return true;
            }
            if (Marks.owner(rival.machineDeployment()).equals(owner)) {
                return false;
            }
        }
        for (StoredSecret secret : facts.found().secrets().values()) {
            if (shared.contains("Secret " + secret.name())
                    && !secret.annotations().containsKey(Marks.OWNER)) {
                unmarked.put(secret.name(), secret);
            }
        }
        if (!unmarked.isEmpty()) {
            Facts.Rival self = new Facts.Rival(
                    facts.machineDeployment(), facts.profile(), facts.found().tokens());
            boolean fitsSelf = fits.test(self, unmarked);
            if (fitsSelf != fits.test(rival, unmarked)) {
                return fitsSelf;
            }
        }
        return OLDER_FIRST.compare(facts.machineDeployment(), rival.machineDeployment()) < 0;
    }

    /** Annotations of what was found under the shared names, in the order of the names. */
    private SortedMap<String, Map<String, String>> annotations(SortedSet<String> shared) {
        SortedMap<String, Map<String, String>> annotations = new TreeMap<>();
        facts.found()
                .secrets()
                .values()
                .forEach(secret -> annotations.put("Secret " + secret.name(), secret.annotations()));
        StoredConfig config = facts.found().config();
        if (config != null) {
            annotations.put("OperatingSystemConfig " + config.name(), config.annotations());
        }
        annotations.keySet().retainAll(shared);
        if (shared.contains("bootstrap token label " + names.key())) {
            facts.found().tokens().forEach(token -> annotations.put("Token " + token.name(), token.annotations()));
        }
        annotations.values().removeIf(found -> !found.getOrDefault(Marks.HUB_ID, marks.hubId())
                .equals(marks.hubId()));
        return annotations;
    }
}

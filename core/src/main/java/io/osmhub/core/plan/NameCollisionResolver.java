package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
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
 * Decides which of two MachineDeployments that share an object name owns it, with the same result for both: the one
 * that the object's mark names, without a mark the one that the object fits, else the older one.
 */
final class NameCollisionResolver {
    private static final Comparator<MachineDeployment> OLDER_FIRST = Comparator.<MachineDeployment, Instant>comparing(
                    machineDeployment -> Objects.requireNonNullElse(machineDeployment.creationTimestamp(), Instant.MAX))
            .thenComparing(MachineDeployment::namespace)
            .thenComparing(MachineDeployment::name);

    private final Facts facts;
    private final OwnershipAnnotations marks;
    private final ObjectNames names;
    private final BiPredicate<Facts.NameClaimant, SortedMap<String, StoredSecret>> fits;

    /** @param fits whether unmarked secrets hold what a MachineDeployment would get; called only when it matters */
    NameCollisionResolver(
            Facts facts,
            OwnershipAnnotations marks,
            BiPredicate<Facts.NameClaimant, SortedMap<String, StoredSecret>> fits) {
        this.facts = facts;
        this.marks = marks;
        this.names = ObjectNames.of(facts.machineDeployment());
        this.fits = fits;
    }

    /** A name that another MachineDeployment owns. */
    record LostName(String name, MachineDeployment owner) {
        ReasonMessage diagnosis(String tenant, MachineDeployment loser) {
            int blank = name.lastIndexOf(' ');
            return Reason.NameCollision.with(
                    "tenant", tenant,
                    "md", OwnershipAnnotations.owner(loser),
                    "kind", name.substring(0, blank),
                    "name", name.substring(blank + 1),
                    "md2", OwnershipAnnotations.owner(owner));
        }
    }

    @Nullable LostName findLostName() {
        // In a namespace kubelet, a name too long for the usual key makes two secrets share one name.
        if (names.bootstrapSecret().equals(names.kubeletBootstrapSecret())) {
            return new LostName("Secret " + names.bootstrapSecret(), facts.machineDeployment());
        }
        for (Facts.NameClaimant rival : facts.otherClaimants()) {
            SortedSet<String> shared = new TreeSet<>(names.claimedNames());
            shared.retainAll(ObjectNames.of(rival.machineDeployment()).claimedNames());
            if (!shared.isEmpty() && claims(rival.machineDeployment()) && !owns(rival, shared)) {
                return new LostName(shared.first(), rival.machineDeployment());
            }
        }
        return null;
    }

    private boolean claims(MachineDeployment other) {
        boolean itself = OwnershipAnnotations.owner(other).equals(marks.owner());
        return !itself && (!other.profileName().isEmpty() || other.hasFinalizer());
    }

    /** Whether the MachineDeployment owns the names that it shares with a rival. */
    private boolean owns(Facts.NameClaimant rival, SortedSet<String> shared) {
        SortedMap<String, StoredSecret> unmarked = new TreeMap<>();
        for (Map.Entry<String, Map<String, String>> found : annotations(shared).entrySet()) {
            String owner = found.getValue().get(OwnershipAnnotations.OWNER);
            if (marks.owner().equals(owner)) {
                return true;
            }
            if (OwnershipAnnotations.owner(rival.machineDeployment()).equals(owner)) {
                return false;
            }
        }
        for (StoredSecret secret : facts.found().secrets().values()) {
            if (shared.contains("Secret " + secret.name())
                    && !secret.annotations().containsKey(OwnershipAnnotations.OWNER)) {
                unmarked.put(secret.name(), secret);
            }
        }
        if (!unmarked.isEmpty()) {
            Facts.NameClaimant self = new Facts.NameClaimant(
                    facts.machineDeployment(), facts.profile(), facts.found().tokens());
            boolean fitsSelf = fits.test(self, unmarked);
            if (fitsSelf != fits.test(rival, unmarked)) {
                return fitsSelf;
            }
        }
        return OLDER_FIRST.compare(facts.machineDeployment(), rival.machineDeployment()) < 0;
    }

    /** Annotations of the objects found under the shared names, by name. */
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
        annotations.values().removeIf(found -> !found.getOrDefault(OwnershipAnnotations.HUB_ID, marks.hubId())
                .equals(marks.hubId()));
        return annotations;
    }
}

package io.osmhub.tenancy.registry;

import com.google.re2j.Pattern;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the Secrets and WorkerClusters of one namespace ask for: WorkerClusters to make, Secrets that cannot have what they ask
 * for, and WorkerClusters whose Secret is not among those seen. Pure.
 */
public final class NamespaceRegistrations {
    /** Longest name of a WorkerCluster, which is used as a label's value. */
    private static final int LONGEST_NAME = 63;

    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /** A WorkerCluster to make, with the Secret that it refers to. */
    public record Wanted(String name, KubeconfigSecret secret, RegisteredBy by) {}

    /** A Secret that does not become a WorkerCluster's kubeconfig, and why. */
    public record Refused(KubeconfigSecret secret, Reason reason, String message) {}

    private final List<Wanted> wanted = new ArrayList<>();
    private final List<Refused> refused = new ArrayList<>();
    private final List<WorkerClusterRecord> orphans = new ArrayList<>();

    private NamespaceRegistrations() {}

    /**
     * Decides for one namespace.
     *
     * @param secrets of the namespace, those that matter and others
     * @param workerClusters of the namespace
     */
    public static NamespaceRegistrations decide(
            Collection<KubeconfigSecret> secrets, Collection<WorkerClusterRecord> workerClusters, Discovery discovery) {
        NamespaceRegistrations decided = new NamespaceRegistrations();
        Map<String, String> secretOf = new HashMap<>();
        workerClusters.forEach(record -> secretOf.put(record.name(), record.secretName()));
        secrets.stream()
                .map(secret -> Registration.of(secret, discovery))
                .filter(Objects::nonNull)
                .sorted(Registration.OLDEST_FIRST)
                .forEach(registration -> decided.decide(registration, secretOf));
        workerClusters.stream()
                .sorted(Comparator.comparing(WorkerClusterRecord::name))
                .filter(record -> lostItsSecret(record, secrets))
                .forEach(decided.orphans::add);
        return decided;
    }

    private void decide(Registration registration, Map<String, String> secretOf) {
        KubeconfigSecret secret = registration.secret();
        String name = registration.workerCluster();
        if (name.length() > LONGEST_NAME || !NAME.matches(name)) {
            refused.add(new Refused(secret, Reason.KubeconfigInvalid, notAName(secret, name)));
            return;
        }
        String other = secretOf.putIfAbsent(name, secret.name());
        if (other == null) {
            wanted.add(new Wanted(name, secret, registration.by()));
        } else if (!other.equals(secret.name())) {
            refused.add(new Refused(secret, Reason.RegistrationConflict, conflict(secret, name, other)));
        }
    }

    private static String notAName(KubeconfigSecret secret, String name) {
        return Message.of(
                Reason.KubeconfigInvalid,
                Map.of(
                        "tenant", secret.namespace(),
                        "secret", secret.namespace() + "/" + secret.name(),
                        "field", "label " + KubeconfigSecret.LABEL,
                        "what", "\"" + name + "\" cannot be the name of a WorkerCluster",
                        "cure", "use at most 63 lower-case letters, digits, '-' and '.'"));
    }

    private static String conflict(KubeconfigSecret secret, String name, String other) {
        return Message.of(
                Reason.RegistrationConflict,
                Map.of(
                        "tenant",
                        secret.namespace(),
                        "secret",
                        secret.namespace() + "/" + secret.name(),
                        "wc",
                        name,
                        "secret2",
                        other.isEmpty() ? "(none)" : secret.namespace() + "/" + other));
    }

    /** Only what a labelled Secret registered goes with it: another product's Secret may be missing for a while and come back. */
    private static boolean lostItsSecret(WorkerClusterRecord record, Collection<KubeconfigSecret> secrets) {
        return !record.head().beingDeleted()
                && record.annotation(WorkerClusterRecord.REGISTERED_BY).equals(RegisteredBy.SECRET.word())
                && secrets.stream().noneMatch(secret -> secret.name().equals(record.secretName()));
    }

    public List<Wanted> wanted() {
        return List.copyOf(wanted);
    }

    public List<Refused> refused() {
        return List.copyOf(refused);
    }

    /** WorkerClusters that a labelled Secret registered which was not seen: to be removed in time if it is gone. */
    public List<WorkerClusterRecord> orphans() {
        return List.copyOf(orphans);
    }
}

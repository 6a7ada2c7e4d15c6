package io.osmhub.tenancy.registry;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.registry.NamespaceRegistrations.SecretDiscovery;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Registrations of one namespace by its Secrets and WorkerClusters: WorkerClusters to create, rejected Secrets, and
 * WorkerClusters whose Secret is missing. Pure.
 */
public final class NamespaceRegistrations {
    /** Longest name of a WorkerCluster, because it is used as a label value. */
    private static final int LONGEST_NAME = 63;

    /** A WorkerCluster to create, with its Secret. */
    public record DesiredWorkerCluster(String name, KubeconfigSecret secret, RegistrationSource by) {}

    /** A Secret that cannot register a WorkerCluster. */
    public record RefusedSecret(KubeconfigSecret secret, Problem why) {}

    private final List<DesiredWorkerCluster> wanted = new ArrayList<>();
    private final List<RefusedSecret> refused = new ArrayList<>();
    private final List<WorkerClusterRecord> orphans = new ArrayList<>();

    private NamespaceRegistrations() {}

    /**
     * @param secrets of the namespace, relevant or not
     * @param workerClusters of the namespace
     */
    public static NamespaceRegistrations decide(
            Collection<KubeconfigSecret> secrets,
            Collection<WorkerClusterRecord> workerClusters,
            SecretDiscovery discovery) {
        NamespaceRegistrations decided = new NamespaceRegistrations();
        Map<String, String> secretOf = new HashMap<>();
        workerClusters.forEach(record -> secretOf.put(record.name(), record.secretName()));
        secrets.stream()
                .map(secret -> SecretRegistration.of(secret, discovery))
                .filter(Objects::nonNull)
                .sorted(SecretRegistration.OLDEST_FIRST)
                .forEach(registration -> decided.decide(registration, secretOf));
        workerClusters.stream()
                .sorted(Comparator.comparing(WorkerClusterRecord::name))
                .filter(record -> lostItsSecret(record, secrets))
                .forEach(decided.orphans::add);
        return decided;
    }

    private void decide(SecretRegistration registration, Map<String, String> secretOf) {
        KubeconfigSecret secret = registration.secret();
        String name = registration.workerCluster();
        if (name.length() > LONGEST_NAME || !ObjectMetadata.isName(name)) {
            refused.add(new RefusedSecret(secret, notAName(secret, name)));
            return;
        }
        String other = secretOf.putIfAbsent(name, secret.name());
        if (other == null) {
            wanted.add(new DesiredWorkerCluster(name, secret, registration.by()));
        } else if (!other.equals(secret.name())) {
            refused.add(new RefusedSecret(secret, conflict(secret, name, other)));
        }
    }

    private static Problem notAName(KubeconfigSecret secret, String name) {
        return Reason.KubeconfigInvalid.with(
                "tenant", secret.namespace(),
                "secret", secret.namespace() + "/" + secret.name(),
                "field", "label " + KubeconfigSecret.LABEL,
                "what", "\"" + name + "\" is not a valid WorkerCluster name",
                "fix", "use at most 63 lower-case letters, digits, '-' and '.'");
    }

    private static Problem conflict(KubeconfigSecret secret, String name, String other) {
        return Reason.RegistrationConflict.with(
                "tenant",
                secret.namespace(),
                "secret",
                secret.namespace() + "/" + secret.name(),
                "wc",
                name,
                "secret2",
                other.isEmpty() ? "(none)" : secret.namespace() + "/" + other);
    }

    /** Only WorkerClusters registered by a labelled Secret: another product's Secret may be missing temporarily. */
    private static boolean lostItsSecret(WorkerClusterRecord record, Collection<KubeconfigSecret> secrets) {
        return !record.head().isBeingDeleted()
                && record.annotation(WorkerClusterRecord.REGISTERED_BY).equals(RegistrationSource.SECRET.wireName())
                && secrets.stream().noneMatch(secret -> secret.name().equals(record.secretName()));
    }

    public List<DesiredWorkerCluster> wanted() {
        return List.copyOf(wanted);
    }

    public List<RefusedSecret> refused() {
        return List.copyOf(refused);
    }

    /** WorkerClusters registered by a labelled Secret that was not found: to be removed if it stays deleted. */
    public List<WorkerClusterRecord> orphans() {
        return List.copyOf(orphans);
    }

    /**
     * Well-known Secrets that register a worker cluster without a label.
     *
     * @param kkp name of the Secret in the namespaces of KKP's Clusters; empty to ignore them
     * @param clusterApi {@code <cluster>-kubeconfig} of Cluster API
     */
    public record SecretDiscovery(String kkp, boolean clusterApi) {
        public static final SecretDiscovery LABELLED_ONLY = new SecretDiscovery("", false);

        /** For a namespace without a Cluster of KKP. */
        public SecretDiscovery withoutKkp() {
            return new SecretDiscovery("", clusterApi);
        }
    }

    /** A Secret that requests to register a WorkerCluster. */
    record SecretRegistration(KubeconfigSecret secret, String workerCluster, RegistrationSource by) {
        /** The older Secret registers first. */
        static final Comparator<SecretRegistration> OLDEST_FIRST = Comparator.comparing(
                        (SecretRegistration registration) ->
                                registration.secret().head().creationTimestamp())
                .thenComparing(registration -> registration.secret().name());

        /** The Secret's request; null if there is none. A label takes precedence over a well-known name. */
        static @Nullable SecretRegistration of(KubeconfigSecret secret, SecretDiscovery discovery) {
            ObjectMetadata head = secret.head();
            if (head.isBeingDeleted()) {
                return null;
            }
            String label = head.labels().get(KubeconfigSecret.LABEL);
            if (label != null) {
                return new SecretRegistration(secret, label.isEmpty() ? head.name() : label, RegistrationSource.SECRET);
            }
            if (head.name().equals(discovery.kkp())) {
                return new SecretRegistration(secret, head.namespace(), RegistrationSource.KKP);
            }
            String suffix = KubeconfigSecret.CLUSTER_API_SUFFIX;
            if (discovery.clusterApi()
                    && secret.type().equals(KubeconfigSecret.CLUSTER_API_TYPE)
                    && head.name().endsWith(suffix)
                    && head.name().length() > suffix.length()) {
                String cluster = head.name().substring(0, head.name().length() - suffix.length());
                return new SecretRegistration(secret, cluster, RegistrationSource.CLUSTER_API);
            }
            return null;
        }
    }
}

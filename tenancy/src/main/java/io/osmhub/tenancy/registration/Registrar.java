package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.connection.ConnectionTester;
import io.osmhub.tenancy.credential.WorkerServiceAccount;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registration.KubeconfigImporter.ImportedKubeconfig;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest.CredentialRequest;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest.RegistrationOptions;
import io.osmhub.tenancy.registration.RegistrationException.Kind;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Registers worker clusters, for the API with the hub's permissions and for the command line with the user's own. The caller
 * authorizes. All methods block; call them on virtual threads. Failures of the management cluster are thrown as {@link
 * ApiFailure}.
 *
 * @param egress egress policy of a namespace
 */
public record Registrar(
        KubeApi managementApi,
        ConnectionTester tester,
        Function<String, EgressPolicy> egress,
        NamespaceAccess access,
        DuplicateCheck duplicates) {
    /** All WorkerClusters of the management cluster. */
    @FunctionalInterface
    public interface RegisteredClusters {
        /** Blocks. Fails as forbidden if not all may be read. */
        Collection<WorkerClusterRecord> all() throws ApiFailure;
    }

    /** Permissions of the account that serves the tenants, in their namespaces. */
    @FunctionalInterface
    public interface NamespaceAccess {
        /** Not reviewed: another account serves the tenants. */
        NamespaceAccess NOT_REVIEWED = namespace -> Optional.empty();

        /** What is missing in a namespace; empty if everything is granted. Blocks. */
        Optional<Problem> review(String namespace) throws ApiFailure;
    }

    /** For a caller to whom messages may name only these WorkerClusters of other tenants. */
    public Registrar withVisible(Predicate<WorkerClusterRecord> shown) {
        return new Registrar(managementApi, tester, egress, access, duplicates.withVisible(shown));
    }

    /** The stored WorkerCluster; null if there is none. */
    public @Nullable JsonNode find(String namespace, String name) throws ApiFailure {
        return store(namespace, name, RegistrationOptions.NONE).find();
    }

    private RegistrationStore store(String namespace, String name, RegistrationOptions options) {
        return new RegistrationStore(managementApi, namespace, name, options.dryRun());
    }

    /** @param workerCluster its settings; missing if there is none */
    private KubeconfigImporter importer(RegistrationStore store, String secretName, JsonNode workerCluster) {
        return new KubeconfigImporter(
                ConnectionSubject.of(store.namespace(), store.name(), secretName, workerCluster.path("spec")),
                tester,
                egress.apply(store.namespace()),
                duplicates);
    }

    // Registering

    /** Registers, or replaces a registration. May be repeated. */
    public RegistrationOutcome put(RegistrationRequest request) throws RegistrationException, ApiFailure {
        requireAccess(request.namespace());
        RegistrationOptions options = request.options();
        RegistrationStore store = store(request.namespace(), request.name(), options);
        ObjectNode before = store.find();
        if (before != null && options.mustBeNew()) {
            throw RegistrationException.of(
                    Kind.PRECONDITION_FAILED,
                    "WorkerCluster " + request.name()
                            + " is already registered; to replace it, omit --new (of a request, If-None-Match)");
        }
        expect(before, options);
        return before == null ? create(request, store) : replace(request, store, before);
    }

    private RegistrationOutcome create(RegistrationRequest request, RegistrationStore store)
            throws RegistrationException, ApiFailure {
        List<String> neighbours = store.names();
        if (!neighbours.isEmpty()) {
            throw RegistrationException.of(
                    Kind.CONFLICT,
                    "namespace " + request.namespace() + " already belongs to WorkerCluster " + neighbours.getFirst()
                            + ", a namespace is one tenant; register this one in another namespace");
        }
        Sensitive kubeconfig = request.credential().kubeconfig();
        if (kubeconfig == null) {
            throw RegistrationException.of(Kind.INCOMPLETE, "kubeconfig is required to register a worker cluster");
        }
        ObjectNode wanted = WorkerClusterDrafts.create(request, store.ownSecret());
        StoredKubeconfig stored = store.kubeconfigOf(wanted);
        if (stored.secret() != null && !stored.secret().type().equals(KubeconfigSecret.OWN_TYPE)) {
            throw RegistrationException.of(
                    Kind.CONFLICT,
                    "Secret " + stored.path() + " exists but is not the hub's; label it " + KubeconfigSecret.LABEL + "="
                            + request.name() + " to register its kubeconfig, or choose another name");
        }
        return exchange(
                store, null, wanted, stored, kubeconfig, request.credential().skipTest());
    }

    private RegistrationOutcome replace(RegistrationRequest request, RegistrationStore store, ObjectNode before)
            throws RegistrationException, ApiFailure {
        ObjectNode wanted = WorkerClusterDrafts.replace(request, before);
        StoredKubeconfig stored = store.kubeconfigOf(before);
        CredentialRequest credential = request.credential();
        if (credential.secretKey() != null && !credential.secretKey().equals(stored.key())) {
            throw RegistrationException.of(
                    Kind.CONFLICT,
                    "WorkerCluster " + request.name() + " has its kubeconfig under " + stored.key() + " of Secret "
                            + stored.path()
                            + "; omit the key, or remove the WorkerCluster and register it again");
        }
        if (credential.kubeconfig() != null || credential.scoped()) {
            return exchange(store, before, wanted, stored, credential.kubeconfig(), credential.skipTest());
        }
        // Settings alone can be stored while the worker cluster is unreachable.
        ConnectionTestReport report =
                importer(store, stored.record().secretName(), wanted).test(stored);
        return new RegistrationOutcome(store.write(before, wanted), report, false, !store.dryRun());
    }

    /**
     * Stores a WorkerCluster with a kubeconfig. The API server checks the WorkerCluster before anything is done, and the Secret is
     * stored first, so that the hub finds it with the WorkerCluster.
     *
     * @param before null if it is new
     * @param kubeconfig null for the stored one
     */
    private RegistrationOutcome exchange(
            RegistrationStore store,
            @Nullable ObjectNode before,
            ObjectNode wanted,
            StoredKubeconfig stored,
            @Nullable Sensitive kubeconfig,
            boolean skipTest)
            throws RegistrationException, ApiFailure {
        store.asDryRun().write(before, wanted);
        WorkerServiceAccount account =
                WorkerServiceAccount.scoped(WorkerClusterRecord.of(wanted).spec());
        ImportedKubeconfig imported = importer(store, stored.record().secretName(), wanted)
                .importKubeconfig(kubeconfig, stored, account, skipTest, store.dryRun());
        store.store(imported.text(), stored);
        return new RegistrationOutcome(store.write(before, wanted), imported.report(), before == null, !store.dryRun());
    }

    // Changing

    /**
     * Merges into {@code spec} and {@code labels}, and validates the result.
     *
     * @param patch as in RFC 7396, of an object with the fields {@code labels} and {@code spec}
     * @return the WorkerCluster after the change, or as it would be after a dry run
     */
    public JsonNode patch(String namespace, String name, JsonNode patch, RegistrationOptions options)
            throws RegistrationException, ApiFailure {
        RegistrationStore store = store(namespace, name, options);
        ObjectNode before = existing(store, options);
        return store.write(before, WorkerClusterDrafts.merge(before, patch));
    }

    /** Sets an annotation that requests an action of the hub. */
    public JsonNode annotate(String namespace, String name, String annotation, String value)
            throws RegistrationException, ApiFailure {
        RegistrationStore store = store(namespace, name, RegistrationOptions.NONE);
        ObjectNode before = store.existing();
        ObjectNode wanted = before.deepCopy();
        wanted.withObject("/metadata/annotations").put(annotation, value);
        return store.write(before, wanted);
    }

    /**
     * Starts removal; the hub completes it. A Secret written by the API or the command line is deleted last.
     *
     * @param policy replaces the one in {@code spec}; null to use that
     * @return the WorkerCluster before the removal
     */
    public JsonNode remove(
            String namespace,
            String name,
            WorkerClusterSpec.@Nullable DeletionPolicy policy,
            RegistrationOptions options)
            throws RegistrationException, ApiFailure {
        RegistrationStore store = store(namespace, name, options);
        ObjectNode before = existing(store, options);
        ObjectNode wanted = before.deepCopy();
        if (policy != null) {
            wanted.withObject("/spec").set("deletionPolicy", WireJson.tree(policy));
        }
        ObjectNode changed = store.write(before, wanted);
        store.delete(options.dryRun() ? before : changed);
        return changed;
    }

    /**
     * Replaces the stored kubeconfig with another one that passes the test.
     *
     * @param kubeconfig null to exchange or renew the stored credential
     * @param scoped store a token of the hub's own account instead of this credential, from now on
     */
    public RegistrationOutcome rotate(
            String namespace, String name, @Nullable Sensitive kubeconfig, boolean scoped, RegistrationOptions options)
            throws RegistrationException, ApiFailure {
        RegistrationStore store = store(namespace, name, options);
        ObjectNode before = existing(store, options);
        requireAccess(namespace);
        ObjectNode wanted = WorkerClusterDrafts.valid(scoped ? WorkerClusterDrafts.scoped(before) : before, before);
        return exchange(store, before, wanted, store.kubeconfigOf(before), kubeconfig, false);
    }

    // Testing

    /** Tests the given kubeconfig, or without one the stored one. Changes nothing. */
    public ConnectionTestReport test(String namespace, String name, @Nullable Sensitive kubeconfig)
            throws RegistrationException, ApiFailure {
        RegistrationStore store = store(namespace, name, RegistrationOptions.NONE);
        if (kubeconfig != null) {
            ObjectNode existing = store.find();
            return importer(store, store.ownSecret(), existing == null ? MissingNode.getInstance() : existing)
                    .test(kubeconfig);
        }
        requireAccess(namespace);
        ObjectNode existing = store.existing();
        StoredKubeconfig stored = store.kubeconfigOf(existing);
        return importer(store, stored.record().secretName(), existing).test(stored);
    }

    // Shared

    private void requireAccess(String namespace) throws RegistrationException, ApiFailure {
        Problem missing = access.review(namespace).orElse(null);
        if (missing != null) {
            throw RegistrationException.of(Kind.CONFLICT, missing.message());
        }
    }

    private static ObjectNode existing(RegistrationStore store, RegistrationOptions options)
            throws RegistrationException, ApiFailure {
        ObjectNode before = store.existing();
        expect(before, options);
        return before;
    }

    private static void expect(@Nullable ObjectNode before, RegistrationOptions options) throws RegistrationException {
        var expected = options.expected();
        if (expected != null && (before == null || !expected.test(before))) {
            throw RegistrationException.of(
                    Kind.PRECONDITION_FAILED,
                    before == null
                            ? "If-Match was sent, but there is nothing to replace"
                            : "it changed since it was read; read it again and retry");
        }
    }

    /**
     * @param workerCluster as stored, or as it would be after a dry run
     * @param report of the provided or stored kubeconfig
     * @param created whether the WorkerCluster is new
     * @param stored false for a dry run
     */
    public record RegistrationOutcome(
            JsonNode workerCluster, ConnectionTestReport report, boolean created, boolean stored) {}

    /**
     * A worker cluster to register, or to register again.
     *
     * @param labels of the WorkerCluster; null to keep them
     * @param settings for {@code spec}; null to keep them
     * @param options and preconditions
     */
    public record RegistrationRequest(
            String namespace,
            String name,
            CredentialRequest credential,
            @Nullable Map<String, String> labels,
            @Nullable ObjectNode settings,
            RegistrationSource by,
            RegistrationOptions options) {
        /**
         * @param kubeconfig as text; null to keep the stored one
         * @param secretKey key of the kubeconfig in the Secret; null for the current or default one
         * @param scoped store a token of the hub's own account instead of the provided credential
         * @param skipTest store it even if the test fails
         */
        public record CredentialRequest(
                @Nullable Sensitive kubeconfig, @Nullable String secretKey, boolean scoped, boolean skipTest) {}

        /**
         * @param mustBeNew fails if it already exists
         * @param expected precondition on the stored WorkerCluster; null for any or none
         * @param dryRun check only; the API server checks the objects to store
         */
        public record RegistrationOptions(
                boolean mustBeNew, @Nullable Predicate<JsonNode> expected, boolean dryRun) {
            public static final RegistrationOptions NONE = new RegistrationOptions(false, null, false);
        }
    }
}

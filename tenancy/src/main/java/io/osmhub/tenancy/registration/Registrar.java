package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.workercluster.WorkerCluster;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.connection.ConnectionTester;
import io.osmhub.tenancy.credential.WorkerServiceAccount;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.registration.KubeconfigImporter.ImportOptions;
import io.osmhub.tenancy.registration.KubeconfigImporter.ImportedKubeconfig;
import io.osmhub.tenancy.registration.Registrar.RegistrationRequest.RegistrationOptions;
import io.osmhub.tenancy.registration.RegistrationException.Kind;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord.RegistrationSource;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Scheduler;
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
 */
public final class Registrar {
    private final KubeApi management;
    private final ConnectionTester tests;
    private final Function<String, EgressPolicy> egress;
    private final NamespaceAccess access;
    private final RegisteredClusters registered;
    private final Scheduler timers;
    private final Predicate<WorkerClusterRecord> visible;

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
        Optional<ReasonMessage> review(String namespace) throws ApiFailure;
    }

    /** @param egress egress policy of a namespace */
    public Registrar(
            KubeApi management,
            ConnectionTester tests,
            Function<String, EgressPolicy> egress,
            NamespaceAccess access,
            RegisteredClusters registered,
            Scheduler timers) {
        this(management, tests, egress, access, registered, timers, record -> true);
    }

    private Registrar(
            KubeApi management,
            ConnectionTester tests,
            Function<String, EgressPolicy> egress,
            NamespaceAccess access,
            RegisteredClusters registered,
            Scheduler timers,
            Predicate<WorkerClusterRecord> visible) {
        this.management = management;
        this.tests = tests;
        this.egress = egress;
        this.access = access;
        this.registered = registered;
        this.timers = timers;
        this.visible = visible;
    }

    /** For a caller to whom messages may name only these WorkerClusters of other tenants. */
    public Registrar withVisible(Predicate<WorkerClusterRecord> shown) {
        return new Registrar(management, tests, egress, access, registered, timers, shown);
    }

    private KubeconfigImporter intake(String namespace) {
        return new KubeconfigImporter(
                tests, egress.apply(namespace), timers, new DuplicateCheck(management, registered, visible));
    }

    /** The stored WorkerCluster; null if there is none. */
    public @Nullable JsonNode find(String namespace, String name) throws ApiFailure {
        return new RegistrationStore(management, namespace, name).workerCluster();
    }

    // Registering

    /** Registers, or replaces a registration. Idempotent. */
    public RegistrationOutcome put(RegistrationRequest order) throws RegistrationException, ApiFailure {
        requireAccess(order.namespace());
        RegistrationStore stored = new RegistrationStore(management, order.namespace(), order.name());
        ObjectNode before = stored.workerCluster();
        RegistrationOptions terms = order.terms();
        if (before != null && terms.mustBeNew()) {
            throw RegistrationException.of(
                    Kind.PRECONDITION_FAILED,
                    "WorkerCluster " + order.name()
                            + " is already registered; to replace it, omit --new (of a request, If-None-Match)");
        }
        expect(before, terms);
        return before == null ? create(order, stored) : replace(order, stored, before);
    }

    private RegistrationOutcome create(RegistrationRequest order, RegistrationStore stored)
            throws RegistrationException, ApiFailure {
        List<String> neighbours = stored.otherWorkerClusters();
        if (!neighbours.isEmpty()) {
            throw RegistrationException.of(
                    Kind.CONFLICT,
                    "namespace " + order.namespace() + " already belongs to WorkerCluster " + neighbours.getFirst()
                            + ", a namespace is one tenant; register this one in another namespace");
        }
        String secretName = RegistrationStore.ownSecret(order.name());
        Sensitive kubeconfig = order.kubeconfig();
        if (kubeconfig == null) {
            throw RegistrationException.of(Kind.INCOMPLETE, "kubeconfig is required to register a worker cluster");
        }
        ObjectNode wanted = WorkerClusterDrafts.newObject(order, secretName);
        check(wanted, null);
        KubeconfigSecret known = stored.secret(secretName);
        if (known != null && !known.type().equals(KubeconfigSecret.OWN_TYPE)) {
            throw RegistrationException.of(
                    Kind.CONFLICT,
                    "Secret " + order.namespace() + "/" + secretName + " exists but is not the hub's; label it "
                            + KubeconfigSecret.LABEL + "=" + order.name()
                            + " to register its kubeconfig, or choose another name");
        }
        ImportedKubeconfig taken = intake(order.namespace())
                .importKubeconfig(
                        ConnectionSubject.of(order.namespace(), order.name(), secretName, wanted.path("spec")),
                        kubeconfig,
                        new ImportOptions(
                                WorkerClusterDrafts.account(wanted),
                                order.skipTest(),
                                order.terms().dryRun(),
                                ""));
        if (order.terms().dryRun()) {
            return new RegistrationOutcome(wanted, taken.report(), true, false, false);
        }
        return new RegistrationOutcome(
                store(order, stored, wanted, known, taken), taken.report(), true, true, taken.minted());
    }

    /** The Secret first, so that the hub finds it with the WorkerCluster; deletes it if creating the WorkerCluster fails. */
    private ObjectNode store(
            RegistrationRequest order,
            RegistrationStore stored,
            ObjectNode wanted,
            @Nullable KubeconfigSecret known,
            ImportedKubeconfig taken)
            throws ApiFailure, RegistrationException {
        String secretName = RegistrationStore.ownSecret(order.name());
        String key = order.secretKey() == null ? RegistrationStore.KEY : order.secretKey();
        String made = "";
        if (known == null) {
            made = stored.createSecret(key, taken.text());
        } else {
            stored.replaceKubeconfig(secretName, key, taken.text(), known);
        }
        try {
            return stored.createWorkerCluster(wanted);
        } catch (ApiFailure e) {
            if (!made.isEmpty() && (e.isRejection() || !canExist(stored))) {
                stored.deleteSecret(secretName, made);
            }
            if (e.isAlreadyExists()) {
                throw RegistrationException.of(
                        Kind.CONFLICT, "WorkerCluster " + order.name() + " was registered at the same time; try again");
            }
            throw e;
        }
    }

    /** Only the response may be lost: deleting the Secret would break the registration. A retry finds both. */
    private static boolean canExist(RegistrationStore stored) {
        try {
            return stored.workerCluster() != null;
        } catch (ApiFailure unknown) {
            return true;
        }
    }

    private RegistrationOutcome replace(RegistrationRequest order, RegistrationStore stored, ObjectNode before)
            throws RegistrationException, ApiFailure {
        WorkerClusterRecord record = WorkerClusterRecord.of(before);
        ObjectNode wanted = WorkerClusterDrafts.replaced(order, before);
        check(wanted, before);
        KubeconfigSecret secret = stored.secret(record.secretName());
        String key = RegistrationStore.key(record, secret);
        if (order.secretKey() != null && !order.secretKey().equals(key)) {
            throw RegistrationException.of(
                    Kind.CONFLICT,
                    "WorkerCluster " + order.name() + " has its kubeconfig under " + key + " of Secret "
                            + order.namespace() + "/" + record.secretName()
                            + "; omit the key, or remove the WorkerCluster and register it again");
        }
        Sensitive given = order.kubeconfig();
        WorkerServiceAccount account = WorkerClusterDrafts.account(wanted);
        CredentialExchange exchange =
                new CredentialExchange(record, wanted, stored, secret, intake(order.namespace()), order.terms());
        // Settings alone can be stored while the worker cluster is unreachable.
        ImportedKubeconfig taken =
                given == null && !order.scoped() ? null : exchange.take(given, account, order.skipTest(), true);
        ConnectionTestReport report = taken == null ? exchange.testStored() : taken.report();
        if (order.terms().dryRun()) {
            return new RegistrationOutcome(wanted, report, false, false, false);
        }
        // Settings first: a conflict with a concurrent change is detected before anything is changed.
        ObjectNode after = patched(stored, before, WorkerClusterDrafts.changes(before, wanted));
        if (taken != null) {
            exchange.store(taken);
        }
        return new RegistrationOutcome(after, report, false, true, taken != null && taken.minted());
    }

    // Changing

    /**
     * Merges into {@code spec} and {@code labels}, and validates the result.
     *
     * @param patch as in RFC 7396, of an object with the fields {@code labels} and {@code spec}
     * @return the WorkerCluster after the change, or as it would be after a dry run
     */
    public JsonNode patch(String namespace, String name, JsonNode patch, RegistrationOptions terms)
            throws RegistrationException, ApiFailure {
        RegistrationStore stored = new RegistrationStore(management, namespace, name);
        ObjectNode before = existing(stored, terms);
        ObjectNode wanted = WorkerClusterDrafts.merged(before, patch);
        check(wanted, before);
        return terms.dryRun() ? wanted : patched(stored, before, WorkerClusterDrafts.changes(before, wanted));
    }

    /** Sets an annotation that requests an action of the hub. */
    public JsonNode annotate(String namespace, String name, String annotation, String value)
            throws RegistrationException, ApiFailure {
        RegistrationStore stored = new RegistrationStore(management, namespace, name);
        ObjectNode before = existing(stored, RegistrationOptions.NONE);
        return patched(stored, before, WorkerClusterDrafts.annotation(annotation, value));
    }

    /**
     * Starts removal; the hub completes it. A Secret written by the API or the command line is deleted last.
     *
     * @param policy replaces the one in {@code spec}; null to use that
     * @return the WorkerCluster before the removal
     */
    public JsonNode remove(
            String namespace, String name, WorkerClusterSpec.@Nullable DeletionPolicy policy, RegistrationOptions terms)
            throws RegistrationException, ApiFailure {
        RegistrationStore stored = new RegistrationStore(management, namespace, name);
        ObjectNode before = existing(stored, terms);
        ObjectNode wanted = policy == null ? before : WorkerClusterDrafts.withPolicy(before, policy);
        if (terms.dryRun()) {
            return wanted;
        }
        ObjectNode after = patched(stored, before, WorkerClusterDrafts.changes(before, wanted));
        ObjectNode current = after;
        while (!WorkerClusterRecord.of(current).head().isBeingDeleted()) {
            WorkerClusterRecord record = WorkerClusterRecord.of(current);
            try {
                stored.deleteWorkerCluster(record.uid(), record.head().resourceVersion());
                break;
            } catch (ApiFailure e) {
                if (e.isNotFound()) {
                    break;
                }
                if (!e.isConflict()) {
                    throw e;
                }
                current = reread(stored, current);
            }
        }
        return after;
    }

    // Credentials

    /** Replaces the stored kubeconfig with another one that passes the test. */
    public RegistrationOutcome rotate(
            String namespace, String name, Sensitive kubeconfig, boolean scoped, RegistrationOptions terms)
            throws RegistrationException, ApiFailure {
        RegistrationStore stored = new RegistrationStore(management, namespace, name);
        ObjectNode before = existing(stored, terms);
        ObjectNode wanted = scoped ? WorkerClusterDrafts.scoped(before) : before;
        return exchange(stored, before, wanted, kubeconfig, terms);
    }

    /** Exchanges the stored credential for a scoped one, or renews it. */
    public RegistrationOutcome scope(String namespace, String name, RegistrationOptions terms)
            throws RegistrationException, ApiFailure {
        RegistrationStore stored = new RegistrationStore(management, namespace, name);
        ObjectNode before = existing(stored, terms);
        return exchange(stored, before, WorkerClusterDrafts.scoped(before), null, terms);
    }

    private RegistrationOutcome exchange(
            RegistrationStore stored,
            ObjectNode before,
            ObjectNode wanted,
            @Nullable Sensitive kubeconfig,
            RegistrationOptions terms)
            throws RegistrationException, ApiFailure {
        requireAccess(stored.namespace());
        WorkerClusterRecord record = WorkerClusterRecord.of(before);
        check(wanted, before);
        KubeconfigSecret secret = stored.secret(record.secretName());
        CredentialExchange exchange =
                new CredentialExchange(record, wanted, stored, secret, intake(record.namespace()), terms);
        String key = terms.key();
        if (!key.isEmpty()
                && record.annotation(WorkerClusterDrafts.IDEMPOTENCY_KEY).equals(key)) {
            return new RegistrationOutcome(before, exchange.testStored(), false, true, false);
        }
        ImportedKubeconfig taken = exchange.take(kubeconfig, WorkerClusterDrafts.account(wanted), false, false);
        if (terms.dryRun()) {
            return new RegistrationOutcome(wanted, taken.report(), false, false, false);
        }
        exchange.store(taken);
        ObjectNode changes =
                WorkerClusterDrafts.changes(before, key.isEmpty() ? wanted : WorkerClusterDrafts.withKey(wanted, key));
        return new RegistrationOutcome(patched(stored, before, changes), taken.report(), false, true, taken.minted());
    }

    // Testing

    /** Tests the given kubeconfig, or without one the stored one. Changes nothing. */
    public ConnectionTestReport test(String namespace, String name, @Nullable Sensitive kubeconfig)
            throws RegistrationException, ApiFailure {
        RegistrationStore stored = new RegistrationStore(management, namespace, name);
        KubeconfigImporter intake = intake(namespace);
        if (kubeconfig != null) {
            String secretName = RegistrationStore.ownSecret(name);
            KubeconfigValidation vetting = new KubeconfigValidator(egress.apply(namespace))
                    .validate(namespace + "/" + secretName, kubeconfig.reveal());
            JsonNode existing = find(namespace, name);
            JsonNode settings = existing == null ? MissingNode.getInstance() : existing.path("spec");
            return CredentialExchange.tested(
                    intake, ConnectionSubject.of(namespace, name, secretName, settings), vetting);
        }
        requireAccess(namespace);
        ObjectNode object = existing(stored, RegistrationOptions.NONE);
        WorkerClusterRecord record = WorkerClusterRecord.of(object);
        return new CredentialExchange(
                        record, object, stored, stored.secret(record.secretName()), intake, RegistrationOptions.NONE)
                .testStored();
    }

    // Shared

    private void requireAccess(String namespace) throws RegistrationException, ApiFailure {
        ReasonMessage missing = access.review(namespace).orElse(null);
        if (missing != null) {
            throw RegistrationException.of(Kind.CONFLICT, missing.message());
        }
    }

    private static ObjectNode existing(RegistrationStore stored, RegistrationOptions terms)
            throws RegistrationException, ApiFailure {
        ObjectNode before = stored.workerCluster();
        if (before == null) {
            throw RegistrationException.of(
                    Kind.NOT_FOUND, "no WorkerCluster " + stored.name() + " in namespace " + stored.namespace());
        }
        expect(before, terms);
        return before;
    }

    private static void expect(@Nullable ObjectNode before, RegistrationOptions terms) throws RegistrationException {
        var expected = terms.expected();
        if (expected != null && (before == null || !expected.test(before))) {
            throw RegistrationException.of(
                    Kind.PRECONDITION_FAILED,
                    before == null
                            ? "If-Match was sent, but there is nothing to replace"
                            : "it changed since it was read; read it again and retry");
        }
    }

    private static void check(ObjectNode wanted, @Nullable ObjectNode before) throws RegistrationException {
        List<ProblemFinding> findings = WorkerCluster.check(wanted, before);
        if (!findings.isEmpty()) {
            throw RegistrationException.settings(findings);
        }
    }

    private static ObjectNode patched(RegistrationStore stored, ObjectNode before, ObjectNode changes)
            throws RegistrationException, ApiFailure {
        if (changes.isEmpty()) {
            return before;
        }
        ObjectNode base = before;
        while (true) {
            WorkerClusterRecord record = WorkerClusterRecord.of(base);
            changes.withObject("/metadata")
                    .put("uid", record.uid())
                    .put("resourceVersion", record.head().resourceVersion());
            try {
                return stored.patchWorkerCluster(changes);
            } catch (ApiFailure e) {
                if (!e.isConflict()) {
                    throw e;
                }
                base = reread(stored, base);
            }
        }
    }

    /** After a conflict. The hub may have written a status, which affects no change; anything else does. */
    private static ObjectNode reread(RegistrationStore stored, ObjectNode known)
            throws RegistrationException, ApiFailure {
        ObjectNode found = stored.workerCluster();
        if (found == null || found.equals(known) || !withoutStatus(found).equals(withoutStatus(known))) {
            throw conflict(stored.name());
        }
        return found;
    }

    private static ObjectNode withoutStatus(ObjectNode workerCluster) {
        ObjectNode rest = workerCluster.deepCopy();
        rest.remove("status");
        rest.withObject("/metadata").remove(List.of("resourceVersion", "managedFields"));
        return rest;
    }

    private static RegistrationException conflict(String name) {
        return RegistrationException.of(
                Kind.CONFLICT, "WorkerCluster " + name + " was changed at the same time; read it again and retry");
    }

    /**
     * @param workerCluster as stored, or as it would be after a dry run
     * @param report of the provided or stored kubeconfig
     * @param created whether the WorkerCluster is new
     * @param stored false for a dry run
     * @param scoped whether a scoped credential was created
     */
    public record RegistrationOutcome(
            JsonNode workerCluster, ConnectionTestReport report, boolean created, boolean stored, boolean scoped) {}

    /**
     * @param kubeconfig as text; null to keep the stored one
     * @param secretKey key of the kubeconfig in the Secret; null for the current or default one
     * @param scoped store a token of the hub's own account instead of the provided credential
     * @param skipTest store it even if the test fails
     * @param labels of the WorkerCluster; null to keep them
     * @param settings for {@code spec}; null to keep them
     * @param terms preconditions and options
     */
    public record RegistrationRequest(
            String namespace,
            String name,
            @Nullable Sensitive kubeconfig,
            @Nullable String secretKey,
            boolean scoped,
            boolean skipTest,
            @Nullable Map<String, String> labels,
            @Nullable ObjectNode settings,
            RegistrationSource by,
            RegistrationOptions terms) {

        /**
         * @param mustBeNew fails if it already exists
         * @param expected precondition on the stored WorkerCluster; null for any or none
         * @param dryRun validate only
         * @param key idempotency key of the client: the same as the last one means that the request is done; empty for none
         */
        public record RegistrationOptions(
                boolean mustBeNew, @Nullable Predicate<JsonNode> expected, boolean dryRun, String key) {
            public static final RegistrationOptions NONE = new RegistrationOptions(false, null, false, "");
        }
    }
}

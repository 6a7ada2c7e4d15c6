package io.osmhub.tenancy.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.workercluster.WorkerCluster;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ConnectionTests;
import io.osmhub.tenancy.connection.TestReport;
import io.osmhub.tenancy.credential.WorkerAccount;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigFirewall;
import io.osmhub.tenancy.kubeconfig.Vetting;
import io.osmhub.tenancy.registration.KubeconfigIntake.Taken;
import io.osmhub.tenancy.registration.KubeconfigIntake.Wish;
import io.osmhub.tenancy.registration.Order.Terms;
import io.osmhub.tenancy.registration.RegistrationRefused.Kind;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Timers;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Registers worker clusters, for the API with the hub's rights and for the command line with the user's own. It decides nothing
 * about who may: whoever calls has asked that. Everything waits for answers: for virtual threads. What the management cluster does
 * not do comes out as its {@link ApiFailure}.
 */
public final class Registrar {
    private final KubeApi management;
    private final ConnectionTests tests;
    private final Function<String, EgressPolicy> egress;
    private final Timers timers;

    /** @param egress which addresses the kubeconfigs of a namespace may have */
    public Registrar(KubeApi management, ConnectionTests tests, Function<String, EgressPolicy> egress, Timers timers) {
        this.management = management;
        this.tests = tests;
        this.egress = egress;
        this.timers = timers;
    }

    private KubeconfigIntake intake(String namespace) {
        return new KubeconfigIntake(tests, egress.apply(namespace), timers);
    }

    /** The WorkerCluster as it is stored; null when there is none. */
    public @Nullable JsonNode find(String namespace, String name) throws ApiFailure {
        return new StoredRegistration(management, namespace, name).workerCluster();
    }

    // Registering

    /** Registers, or replaces a registration. The same order twice changes nothing the second time. */
    public Registered put(Order order) throws RegistrationRefused, ApiFailure {
        StoredRegistration stored = new StoredRegistration(management, order.namespace(), order.name());
        ObjectNode before = stored.workerCluster();
        Terms terms = order.terms();
        if (before != null && terms.mustBeNew()) {
            throw RegistrationRefused.of(
                    Kind.PRECONDITION_FAILED,
                    "WorkerCluster " + order.name() + " is registered already; leave out If-None-Match to replace it");
        }
        expect(before, terms);
        return before == null ? create(order, stored) : replace(order, stored, before);
    }

    private Registered create(Order order, StoredRegistration stored) throws RegistrationRefused, ApiFailure {
        List<String> neighbours = stored.neighbours();
        if (!neighbours.isEmpty()) {
            throw RegistrationRefused.of(
                    Kind.CONFLICT,
                    "namespace " + order.namespace() + " already belongs to WorkerCluster " + neighbours.getFirst()
                            + "; one namespace is one tenant; register it in a namespace of its own");
        }
        String secretName = StoredRegistration.ownSecret(order.name());
        Sensitive kubeconfig = order.kubeconfig();
        if (kubeconfig == null) {
            throw RegistrationRefused.of(Kind.INCOMPLETE, "kubeconfig is required to register a worker cluster");
        }
        ObjectNode wanted = Drafts.fresh(order, secretName);
        check(wanted, null);
        KubeconfigSecret known = stored.secret(secretName);
        if (known != null && !known.type().equals(KubeconfigSecret.OWN_TYPE)) {
            throw RegistrationRefused.of(
                    Kind.CONFLICT,
                    "Secret " + order.namespace() + "/" + secretName + " is there and not the hub's; label it "
                            + KubeconfigSecret.LABEL + "=" + order.name()
                            + " to register what it holds, or choose another name");
        }
        Taken taken = intake(order.namespace())
                .take(
                        subject(order.namespace(), order.name(), secretName),
                        kubeconfig,
                        new Wish(
                                Drafts.account(wanted),
                                order.skipTest(),
                                order.terms().dryRun(),
                                ""));
        if (order.terms().dryRun()) {
            return new Registered(wanted, taken.report(), true, false, false);
        }
        return new Registered(store(order, stored, wanted, known, taken), taken.report(), true, true, taken.minted());
    }

    /** The Secret first, so that the hub finds it as soon as it hears of the WorkerCluster; when that is refused the Secret goes again. */
    private ObjectNode store(
            Order order, StoredRegistration stored, ObjectNode wanted, @Nullable KubeconfigSecret known, Taken taken)
            throws ApiFailure, RegistrationRefused {
        String secretName = StoredRegistration.ownSecret(order.name());
        String key = order.secretKey() == null ? StoredRegistration.KEY : order.secretKey();
        String made = "";
        if (known == null) {
            made = stored.createSecret(key, taken.text());
        } else {
            stored.replaceKubeconfig(secretName, key, taken.text(), known);
        }
        try {
            return stored.createWorkerCluster(wanted);
        } catch (ApiFailure e) {
            if (!made.isEmpty() && (e.isRefusal() || !mayBeThere(stored))) {
                stored.deleteSecret(secretName, made);
            }
            if (e.isAlreadyExists()) {
                throw RegistrationRefused.of(
                        Kind.CONFLICT, "WorkerCluster " + order.name() + " was registered at the same time; try again");
            }
            throw e;
        }
    }

    /** Perhaps only the answer is lost: it would be without its Secret then. A second attempt finds both. */
    private static boolean mayBeThere(StoredRegistration stored) {
        try {
            return stored.workerCluster() != null;
        } catch (ApiFailure unknown) {
            return true;
        }
    }

    private Registered replace(Order order, StoredRegistration stored, ObjectNode before)
            throws RegistrationRefused, ApiFailure {
        WorkerClusterRecord record = WorkerClusterRecord.of(before);
        ObjectNode wanted = Drafts.replaced(order, before);
        check(wanted, before);
        KubeconfigSecret secret = stored.secret(record.secretName());
        String key = StoredRegistration.key(record, secret);
        if (order.secretKey() != null && !order.secretKey().equals(key)) {
            throw RegistrationRefused.of(
                    Kind.CONFLICT,
                    "WorkerCluster " + order.name() + " has its kubeconfig under " + key + " of Secret "
                            + order.namespace() + "/" + record.secretName()
                            + "; leave the key out, or remove the WorkerCluster and register it anew");
        }
        Sensitive given = order.kubeconfig();
        WorkerAccount account = Drafts.account(wanted);
        Exchange exchange = new Exchange(record, stored, secret, intake(order.namespace()), order.terms());
        // Settings alone are stored also while the worker cluster cannot be reached.
        Taken taken = given == null && !order.scoped() ? null : exchange.take(given, account, order.skipTest(), true);
        TestReport report = taken == null ? exchange.testStored() : taken.report();
        if (order.terms().dryRun()) {
            return new Registered(wanted, report, false, false, false);
        }
        // Settings first: they are held against what was read, so that nothing is half done when somebody else was
        // quicker.
        ObjectNode after = patched(stored, before, Drafts.changes(before, wanted));
        if (taken != null) {
            exchange.store(taken);
        }
        return new Registered(after, report, false, true, taken != null && taken.minted());
    }

    // Changing

    /**
     * Merges into {@code spec} and {@code labels}, and checks the whole.
     *
     * @param patch as in RFC 7396, of an object with the fields {@code labels} and {@code spec}
     * @return the WorkerCluster as it is now, or with a dry run would be
     */
    public JsonNode patch(String namespace, String name, JsonNode patch, Terms terms)
            throws RegistrationRefused, ApiFailure {
        StoredRegistration stored = new StoredRegistration(management, namespace, name);
        ObjectNode before = existing(stored, namespace, name);
        expect(before, terms);
        ObjectNode wanted = Drafts.merged(before, patch);
        check(wanted, before);
        return terms.dryRun() ? wanted : patched(stored, before, Drafts.changes(before, wanted));
    }

    /** Sets an annotation that asks something of the hub which serves the WorkerCluster. */
    public JsonNode annotate(String namespace, String name, String annotation, String value)
            throws RegistrationRefused, ApiFailure {
        StoredRegistration stored = new StoredRegistration(management, namespace, name);
        ObjectNode before = existing(stored, namespace, name);
        return patched(stored, before, Drafts.annotation(annotation, value));
    }

    /**
     * Begins to remove it; the hub finishes that. With a Secret that API or command line wrote, which goes last.
     *
     * @param policy in place of the one in {@code spec}; null for that
     * @return the WorkerCluster as it was
     */
    public JsonNode remove(
            String namespace, String name, WorkerClusterSpec.@Nullable DeletionPolicy policy, Terms terms)
            throws RegistrationRefused, ApiFailure {
        StoredRegistration stored = new StoredRegistration(management, namespace, name);
        ObjectNode before = existing(stored, namespace, name);
        expect(before, terms);
        ObjectNode wanted = policy == null ? before : Drafts.withPolicy(before, policy);
        if (terms.dryRun()) {
            return wanted;
        }
        ObjectNode after = patched(stored, before, Drafts.changes(before, wanted));
        WorkerClusterRecord record = WorkerClusterRecord.of(after);
        if (!record.head().beingDeleted()) {
            try {
                stored.deleteWorkerCluster(record.uid(), record.head().resourceVersion());
            } catch (ApiFailure e) {
                if (e.isConflict()) {
                    throw changedMeanwhile(name);
                }
                if (!e.isNotFound()) {
                    throw e;
                }
            }
        }
        return after;
    }

    // Credentials

    /** Puts another kubeconfig in place of the stored one, once it is proven. */
    public Registered rotate(String namespace, String name, Sensitive kubeconfig, boolean scoped, Terms terms)
            throws RegistrationRefused, ApiFailure {
        StoredRegistration stored = new StoredRegistration(management, namespace, name);
        ObjectNode before = existing(stored, namespace, name);
        expect(before, terms);
        ObjectNode wanted = scoped ? Drafts.scoped(before) : before;
        return exchange(stored, before, wanted, kubeconfig, terms);
    }

    /** Makes a scoped credential of the stored one, or renews the one there is. */
    public Registered scope(String namespace, String name, Terms terms) throws RegistrationRefused, ApiFailure {
        StoredRegistration stored = new StoredRegistration(management, namespace, name);
        ObjectNode before = existing(stored, namespace, name);
        expect(before, terms);
        return exchange(stored, before, Drafts.scoped(before), null, terms);
    }

    private Registered exchange(
            StoredRegistration stored,
            ObjectNode before,
            ObjectNode wanted,
            @Nullable Sensitive kubeconfig,
            Terms terms)
            throws RegistrationRefused, ApiFailure {
        WorkerClusterRecord record = WorkerClusterRecord.of(before);
        check(wanted, before);
        KubeconfigSecret secret = stored.secret(record.secretName());
        Exchange exchange = new Exchange(record, stored, secret, intake(record.namespace()), terms);
        String key = terms.key();
        if (!key.isEmpty() && record.annotation(Drafts.IDEMPOTENCY_KEY).equals(key)) {
            return new Registered(before, exchange.testStored(), false, true, false);
        }
        Taken taken = exchange.take(kubeconfig, Drafts.account(wanted), false, false);
        if (terms.dryRun()) {
            return new Registered(wanted, taken.report(), false, false, false);
        }
        exchange.store(taken);
        ObjectNode changes = Drafts.changes(before, key.isEmpty() ? wanted : Drafts.withKey(wanted, key));
        return new Registered(patched(stored, before, changes), taken.report(), false, true, taken.minted());
    }

    // Testing

    /** Tries the given kubeconfig, or without one that which is stored. Changes nothing. */
    public TestReport test(String namespace, String name, @Nullable Sensitive kubeconfig)
            throws RegistrationRefused, ApiFailure {
        StoredRegistration stored = new StoredRegistration(management, namespace, name);
        KubeconfigIntake intake = intake(namespace);
        if (kubeconfig != null) {
            String secretName = StoredRegistration.ownSecret(name);
            Vetting vetting = new KubeconfigFirewall(egress.apply(namespace))
                    .vet(namespace + "/" + secretName, kubeconfig.reveal());
            return Exchange.tested(intake, subject(namespace, name, secretName), vetting);
        }
        ObjectNode object = existing(stored, namespace, name);
        WorkerClusterRecord record = WorkerClusterRecord.of(object);
        return new Exchange(record, stored, stored.secret(record.secretName()), intake, Terms.NONE).testStored();
    }

    // What they share

    static ConnectionSubject subject(String namespace, String name, String secret) {
        return new ConnectionSubject(namespace, name, secret);
    }

    private static ObjectNode existing(StoredRegistration stored, String namespace, String name)
            throws RegistrationRefused, ApiFailure {
        ObjectNode before = stored.workerCluster();
        if (before == null) {
            throw RegistrationRefused.of(Kind.NOT_FOUND, "no WorkerCluster " + name + " in namespace " + namespace);
        }
        return before;
    }

    private static void expect(@Nullable ObjectNode before, Terms terms) throws RegistrationRefused {
        var expected = terms.expected();
        if (expected != null && (before == null || !expected.test(before))) {
            throw RegistrationRefused.of(
                    Kind.PRECONDITION_FAILED,
                    before == null
                            ? "If-Match was sent, and there is nothing to replace"
                            : "it has changed since it was read; read it again and repeat the change");
        }
    }

    private static void check(ObjectNode wanted, @Nullable ObjectNode before) throws RegistrationRefused {
        List<Finding> findings = WorkerCluster.check(wanted, before);
        if (!findings.isEmpty()) {
            throw RegistrationRefused.settings(findings);
        }
    }

    private static ObjectNode patched(StoredRegistration stored, ObjectNode before, ObjectNode changes)
            throws RegistrationRefused, ApiFailure {
        if (changes.isEmpty()) {
            return before;
        }
        WorkerClusterRecord record = WorkerClusterRecord.of(before);
        changes.withObject("/metadata")
                .put("uid", record.uid())
                .put("resourceVersion", record.head().resourceVersion());
        try {
            return stored.patchWorkerCluster(changes);
        } catch (ApiFailure e) {
            if (e.isConflict()) {
                throw changedMeanwhile(record.name());
            }
            throw e;
        }
    }

    private static RegistrationRefused changedMeanwhile(String name) {
        return RegistrationRefused.of(
                Kind.CONFLICT, "WorkerCluster " + name + " was changed at the same time; read it again and try again");
    }
}

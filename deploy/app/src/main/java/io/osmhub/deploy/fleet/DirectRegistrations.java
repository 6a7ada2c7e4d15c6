package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.registration.ShownReport;
import io.osmhub.api.registration.ShownWorkerCluster;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.api.schema.WorkerClusterRegistration;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.workercluster.WorkerClusterSpec.DeletionPolicy;
import io.osmhub.tenancy.kubeconfig.Allowance;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigRules;
import io.osmhub.tenancy.registration.Order;
import io.osmhub.tenancy.registration.Order.Terms;
import io.osmhub.tenancy.registration.Registered;
import io.osmhub.tenancy.registration.Registrar;
import io.osmhub.tenancy.registration.RegistrationRefused;
import io.osmhub.tenancy.registry.RegisteredBy;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Registers with the user's own rights, by the code with which the service does. */
final class DirectRegistrations implements Registrations {
    /**
     * From where the command runs other addresses are right than from the hub, whose policy it cannot know; the hub applies that
     * when it connects. What would run a program, read a file or weaken TLS is refused here as there.
     */
    private static final EgressPolicy ANY_ADDRESS = new EgressPolicy(
            new KubeconfigRules(
                    Set.of(Allowance.LOOPBACK, Allowance.LINK_LOCAL, Allowance.MANAGEMENT_CLUSTER),
                    List.of(),
                    List.of()),
            Set.of(),
            Set.of());

    private final DirectFleet fleet;
    private final Registrar registrar;

    DirectRegistrations(DirectFleet fleet) {
        this.fleet = fleet;
        this.registrar = new Registrar(
                fleet.management(),
                fleet.clients().tests(),
                namespace -> ANY_ADDRESS,
                fleet.clients().timers());
    }

    /** What is asked of the registrar. */
    private interface Act<T> {
        T run() throws RegistrationRefused, ApiFailure;
    }

    private <T> T run(Act<T> act) throws FleetFailure {
        try {
            return act.run();
        } catch (RegistrationRefused e) {
            throw Failing.of(e, "the kubeconfig");
        } catch (ApiFailure e) {
            throw Failing.of(e, fleet.describe());
        }
    }

    @Override
    public RegistrationResult put(
            String namespace, String name, WorkerClusterRegistration registration, boolean mustBeNew)
            throws FleetFailure {
        JsonNode settings =
                registration.spec() == null ? null : ApiJson.client().valueToTree(registration.spec());
        Order order = new Order(
                namespace,
                name,
                registration.kubeconfig(),
                registration.kubeconfigKey(),
                Boolean.TRUE.equals(registration.scoped()),
                Boolean.TRUE.equals(registration.skipTest()),
                registration.labels(),
                settings instanceof ObjectNode object ? object : null,
                RegisteredBy.CLI,
                new Terms(mustBeNew, null, false, ""));
        return shown(run(() -> registrar.put(order)));
    }

    @Override
    public WorkerCluster patch(String namespace, String name, JsonNode patch) throws FleetFailure {
        return ShownWorkerCluster.of(run(() -> registrar.patch(namespace, name, patch, Terms.NONE)));
    }

    @Override
    public WorkerCluster remove(String namespace, String name, boolean retain) throws FleetFailure {
        return ShownWorkerCluster.of(
                run(() -> registrar.remove(namespace, name, retain ? DeletionPolicy.RETAIN : null, Terms.NONE)));
    }

    @Override
    public TestReport test(String namespace, String name, @Nullable Sensitive kubeconfig) throws FleetFailure {
        return ShownReport.of(run(() -> registrar.test(namespace, name, kubeconfig)));
    }

    @Override
    public RegistrationResult rotate(String namespace, String name, Sensitive kubeconfig, boolean scoped)
            throws FleetFailure {
        return shown(run(() -> registrar.rotate(namespace, name, kubeconfig, scoped, Terms.NONE)));
    }

    /** The hub that serves it renews: whoever runs the command need not be able to read the credential. */
    @Override
    public WorkerCluster renew(String namespace, String name) throws FleetFailure {
        String now = fleet.clients().timers().now().toString();
        return ShownWorkerCluster.of(
                run(() -> registrar.annotate(namespace, name, WorkerClusterRecord.RENEW_REQUESTED, now)));
    }

    private static RegistrationResult shown(Registered registered) {
        return new RegistrationResult(
                ShownWorkerCluster.of(registered.workerCluster()),
                ShownReport.of(registered.report()),
                registered.stored());
    }
}

package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.registration.TestReportMapper;
import io.osmhub.api.registration.WorkerClusterMapper;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterRegistration;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.workercluster.WorkerClusterSpec.DeletionPolicy;
import io.osmhub.tenancy.kubeconfig.Allowance;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.KubeconfigRules;
import io.osmhub.tenancy.registration.Registrar;
import io.osmhub.tenancy.registration.RegistrationException;
import io.osmhub.tenancy.registration.RegistrationOutcome;
import io.osmhub.tenancy.registration.RegistrationRequest;
import io.osmhub.tenancy.registration.RegistrationRequest.RegistrationOptions;
import io.osmhub.tenancy.registry.RegistrationSource;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Registers with the user's own permissions, using the service's code. */
final class DirectRegistrationClient implements RegistrationClient {
    /**
     * The command may use other addresses than the hub, whose policy it cannot read; the hub enforces that when it connects.
     * Kubeconfigs that run a program, read a file or weaken TLS are rejected here too.
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

    DirectRegistrationClient(DirectFleet fleet) {
        this.fleet = fleet;
        this.registrar = new Registrar(
                fleet.management(),
                fleet.clients().tests(),
                namespace -> ANY_ADDRESS,
                fleet.clients().timers());
    }

    private interface RegistrationCall<T> {
        T run() throws RegistrationException, ApiFailure;
    }

    private <T> T run(RegistrationCall<T> act) throws FleetFailure {
        try {
            return act.run();
        } catch (RegistrationException e) {
            throw FailureMessages.of(e, "the kubeconfig");
        } catch (ApiFailure e) {
            throw FailureMessages.of(e, fleet.describe());
        }
    }

    @Override
    public RegistrationResult put(
            String namespace, String name, WorkerClusterRegistration registration, boolean mustBeNew)
            throws FleetFailure {
        JsonNode settings =
                registration.spec() == null ? null : ApiJson.client().valueToTree(registration.spec());
        RegistrationRequest order = new RegistrationRequest(
                namespace,
                name,
                registration.kubeconfig(),
                registration.kubeconfigKey(),
                Boolean.TRUE.equals(registration.scoped()),
                Boolean.TRUE.equals(registration.skipTest()),
                registration.labels(),
                settings instanceof ObjectNode object ? object : null,
                RegistrationSource.CLI,
                new RegistrationOptions(mustBeNew, null, false, ""));
        return shown(run(() -> registrar.put(order)));
    }

    @Override
    public WorkerClusterEntry patch(String namespace, String name, JsonNode patch) throws FleetFailure {
        return WorkerClusterMapper.of(run(() -> registrar.patch(namespace, name, patch, RegistrationOptions.NONE)));
    }

    @Override
    public WorkerClusterEntry remove(String namespace, String name, boolean retain) throws FleetFailure {
        return WorkerClusterMapper.of(run(() ->
                registrar.remove(namespace, name, retain ? DeletionPolicy.RETAIN : null, RegistrationOptions.NONE)));
    }

    @Override
    public TestReport test(String namespace, String name, @Nullable Sensitive kubeconfig) throws FleetFailure {
        return TestReportMapper.of(run(() -> registrar.test(namespace, name, kubeconfig)));
    }

    @Override
    public RegistrationResult rotate(String namespace, String name, Sensitive kubeconfig, boolean scoped)
            throws FleetFailure {
        return shown(run(() -> registrar.rotate(namespace, name, kubeconfig, scoped, RegistrationOptions.NONE)));
    }

    /** Requests renewal by the serving hub, so that the user needs no permission to read the credential. */
    @Override
    public WorkerClusterEntry renew(String namespace, String name) throws FleetFailure {
        String now = fleet.clients().timers().now().toString();
        return WorkerClusterMapper.of(
                run(() -> registrar.annotate(namespace, name, WorkerClusterRecord.RENEW_REQUESTED, now)));
    }

    private static RegistrationResult shown(RegistrationOutcome registered) {
        return new RegistrationResult(
                WorkerClusterMapper.of(registered.workerCluster()),
                TestReportMapper.of(registered.report()),
                registered.stored());
    }
}

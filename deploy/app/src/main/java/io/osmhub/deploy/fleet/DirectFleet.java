package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.registration.WorkerClusterMapper;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.lint.MatrixFilter;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.problem.SpellingSuggestion;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.client.TypedClient;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the management cluster directly, with the permissions of the kubeconfig's user: stored state, without a hub's live state. */
public final class DirectFleet implements FleetSource {
    private final CommandClients clients;
    private final ManagementAccess access;
    private final RequestObserver requests;
    private final ClientLimits limits;
    private final KubeApi management;
    private final String server;
    private final Duration timeout;

    private DirectFleet(CommandClients clients, ManagementAccess access, RequestObserver requests, Duration timeout) {
        this.clients = clients;
        this.access = access;
        this.requests = requests;
        this.limits = ClientLimits.MANAGEMENT.withRequestTimeout(timeout);
        this.management = new UserApi(clients.pool()
                .management(access, limits, requests, ConnectionObserver.NONE)
                .api());
        this.server = access.describe();
        this.timeout = timeout;
    }

    /** Opens the management cluster without sending a request. */
    public static DirectFleet open(FleetEndpoint remote) throws FleetFailure {
        ManagementAccess access = access(remote);
        RequestObserver told = (verb, resource, failure, took) -> remote.requests()
                .accept(verb.name().toLowerCase(Locale.ROOT) + " " + (resource == null ? "" : resource.plural())
                        + " at " + access.server() + ": "
                        + (failure == null
                                ? "ok"
                                : failure.kind() == ApiFailure.ApiFailureKind.ANSWERED ? failure.code() : "no answer")
                        + ", " + took.toMillis() + " ms");
        return new DirectFleet(CommandClients.start(), access, told, remote.timeout());
    }

    static ManagementAccess access(FleetEndpoint remote) throws FleetFailure {
        try {
            ManagementAccess access = remote.kubeconfig() == null
                    ? ManagementAccess.ofEnvironment(remote.context())
                    : ManagementAccess.ofKubeconfig(remote.kubeconfig(), remote.context());
            return remote.impersonatedUser().isEmpty() ? access : access.as(remote.impersonatedUser());
        } catch (IOException e) {
            throw new FleetFailure(FleetFailureKind.UNUSABLE, String.valueOf(e.getMessage()));
        }
    }

    /** The management cluster's API with the user's permissions. */
    public KubeApi management() {
        return management;
    }

    /** Typed access to the management cluster with the user's permissions; the caller closes it. */
    public TypedClient typed() {
        return clients.pool().typed(access, limits, requests);
    }

    /** Other clients of this command. */
    public CommandClients clients() {
        return clients;
    }

    /** @param namespace the only one to read; empty for all */
    private LocalFleet stored(String namespace, Resource... needed) throws FleetFailure {
        LocalReadModel model = new LocalReadModel(management, namespace, clients.runtimeContext());
        try {
            model.read(Set.of(needed), timeout, server);
            return new LocalFleet(model, server);
        } catch (FleetFailure e) {
            model.close();
            throw e;
        }
    }

    @Override
    public <T> List<T> list(FleetCollection<T> shelf, FleetListQuery query) throws FleetFailure {
        Resource[] needs = shelf.needs().toArray(Resource[]::new);
        try (LocalFleet stored =
                shelf == FleetCollection.PROFILES ? withUsers(query.namespace()) : stored(query.namespace(), needs)) {
            return stored.list(shelf, query);
        }
    }

    /** Other namespaces use a namespace's profiles: reads them too if the user may. */
    private LocalFleet withUsers(String namespace) throws FleetFailure {
        try {
            return stored("", Resource.OPERATING_SYSTEM_PROFILES);
        } catch (FleetFailure e) {
            if (e.kind() != FleetFailureKind.NOT_ALLOWED || namespace.isEmpty()) {
                throw e;
            }
            return stored(namespace, Resource.OPERATING_SYSTEM_PROFILES);
        }
    }

    @Override
    public WorkerClusterEntry workerCluster(String namespace, String name) throws FleetFailure {
        try {
            return WorkerClusterMapper.of(send(ApiRequest.get(Resource.WORKER_CLUSTERS, namespace, name)));
        } catch (ApiFailure e) {
            throw e.isNotFound() ? notFound(namespace, name) : FailureMessages.of(e, server);
        }
    }

    private FleetFailure notFound(String namespace, String name) throws FleetFailure {
        List<String> names = workerClusters(FleetListQuery.in(namespace)).stream()
                .map(cluster -> cluster.metadata().name())
                .toList();
        String cure = SpellingSuggestion.findClosest(name, names)
                .map(near -> "did you mean " + near + "?")
                .orElse("list all with hub cluster list -A");
        return new FleetFailure(
                FleetFailureKind.NOT_FOUND, "no WorkerCluster " + name + " in namespace " + namespace + "; " + cure);
    }

    @Override
    public OspDetail profile(String namespace, String name) throws FleetFailure {
        try (LocalFleet stored = withUsers(namespace)) {
            return stored.profile(namespace, name);
        }
    }

    @Override
    public OscDetail configuration(String namespace, String name) throws FleetFailure {
        try (LocalFleet stored = stored(namespace, Resource.OPERATING_SYSTEM_CONFIGS)) {
            return stored.configuration(namespace, name);
        }
    }

    @Override
    public MachineDeploymentDetail machineDeployment(String tenant, String namespace, String name) throws FleetFailure {
        try (LocalFleet stored = diagnosing(tenant)) {
            return stored.machineDeployment(tenant, namespace, name);
        }
    }

    private LocalFleet diagnosing(String tenant) throws FleetFailure {
        return stored(tenant, Resource.WORKER_CLUSTERS, Resource.OPERATING_SYSTEM_CONFIGS);
    }

    @Override
    public WhyReport why(String tenant, String namespace, String name) throws FleetFailure {
        try (LocalFleet stored = diagnosing(tenant)) {
            return stored.why(tenant, namespace, name);
        }
    }

    @Override
    public WhyReport whyMachine(String tenant, String namespace, String machine) throws FleetFailure {
        try (LocalFleet stored = diagnosing(tenant)) {
            return stored.whyMachine(tenant, namespace, machine);
        }
    }

    /** Nothing is stored for what was never rendered; what blocks a whole tenant is reported at its WorkerCluster. */
    @Override
    public List<String> notFoundHints(String tenant) throws FleetFailure {
        List<String> lines = new ArrayList<>();
        lines.add("based on stored state, which lacks MachineDeployments that were never rendered; use the hub's API"
                + " (--server) to include them");
        for (ProblemEntry problem : list(FleetCollection.PROBLEMS, FleetListQuery.in(tenant))) {
            if (problem.severity() == Severity.ERROR && problem.object() != null && isOfTheTenant(problem.object())) {
                lines.add("open in " + tenant + ": " + problem.reason().wireName() + ": " + problem.message());
            }
        }
        return lines;
    }

    private static boolean isOfTheTenant(ObjectRef object) {
        return !object.kind().equals("MachineDeployment");
    }

    @Override
    public DiffReport diff(DiffRequest request) throws FleetFailure {
        throw new FleetFailure(
                FleetFailureKind.UNUSABLE,
                "requires the hub's API, which renders all MachineDeployments; set it with"
                        + " --server or OSM_HUB_SERVER");
    }

    @Override
    public ProfileLintResult lint(String namespace, String name, MatrixFilter choice) throws FleetFailure {
        try {
            JsonNode object = send(ApiRequest.get(Resource.OPERATING_SYSTEM_PROFILES, namespace, name));
            if (object.path("metadata") instanceof ObjectNode metadata) {
                metadata.remove(List.of("managedFields", "annotations"));
            }
            return new ProfileLintResult.ProfileText(WireJson.text(object));
        } catch (ApiFailure e) {
            throw e.isNotFound() ? noProfile(namespace, name) : FailureMessages.of(e, server);
        }
    }

    private FleetFailure noProfile(String namespace, String name) throws FleetFailure {
        try (LocalFleet stored = stored(namespace, Resource.OPERATING_SYSTEM_PROFILES)) {
            return stored.profileNotFound(namespace, name);
        }
    }

    @Override
    public void follow(FollowOptions wanted, ChangeHandler receiver) throws FleetFailure {
        try (LocalFleet stored = stored(wanted.namespace(), Resource.WORKER_CLUSTERS)) {
            stored.follow(wanted, receiver);
        }
    }

    @Override
    public RegistrationClient registrations() {
        return new DirectRegistrationClient(this);
    }

    @Override
    public String describe() {
        return server;
    }

    private JsonNode send(ApiRequest request) throws ApiFailure {
        try {
            return WireJson.read(management.send(request));
        } catch (IOException e) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not JSON");
        }
    }

    @Override
    public void close() {
        clients.close();
    }
}

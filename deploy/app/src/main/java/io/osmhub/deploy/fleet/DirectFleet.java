package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.registration.ShownWorkerCluster;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.lint.MatrixChoice;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
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

/** Straight from the management cluster, with the rights of the kubeconfig's user: what is stored, without what only a hub knows. */
public final class DirectFleet implements FleetSource {
    private final Clients clients;
    private final ManagementAccess access;
    private final RequestObserver requests;
    private final ClientLimits limits;
    private final KubeApi management;
    private final String server;
    private final Duration timeout;

    private DirectFleet(Clients clients, ManagementAccess access, RequestObserver requests, Duration timeout) {
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

    /** Opens the management cluster that the way names; nothing is asked of it yet. */
    public static DirectFleet open(Remote remote) throws FleetFailure {
        ManagementAccess access = access(remote);
        RequestObserver told = (verb, resource, failure, took) -> remote.requests()
                .accept(verb.name().toLowerCase(Locale.ROOT) + " " + (resource == null ? "" : resource.plural())
                        + " at " + access.server() + ": "
                        + (failure == null
                                ? "ok"
                                : failure.why() == ApiFailure.Cause.ANSWERED ? failure.code() : "no answer")
                        + ", " + took.toMillis() + " ms");
        return new DirectFleet(Clients.start(), access, told, remote.timeout());
    }

    static ManagementAccess access(Remote remote) throws FleetFailure {
        try {
            ManagementAccess access = remote.kubeconfig() == null
                    ? ManagementAccess.ofEnvironment(remote.context())
                    : ManagementAccess.ofKubeconfig(remote.kubeconfig(), remote.context());
            return remote.as().isEmpty() ? access : access.as(remote.as());
        } catch (IOException e) {
            throw new FleetFailure(Kind.UNUSABLE, String.valueOf(e.getMessage()));
        }
    }

    /** The management cluster's API with the user's rights. */
    public KubeApi management() {
        return management;
    }

    /** The management cluster's objects as fabric8's types, with the user's rights; the caller closes it. */
    public TypedClient typed() {
        return clients.pool().typed(access, limits, requests);
    }

    /** Clients of the same run. */
    public Clients clients() {
        return clients;
    }

    /** @param namespace the only one that is looked at; empty for all */
    private StoredFleet stored(String namespace, Resource... needed) throws FleetFailure {
        StoredModel model = new StoredModel(management, namespace, clients.surroundings());
        try {
            model.read(Set.of(needed), timeout, server);
            return new StoredFleet(model, server);
        } catch (FleetFailure e) {
            model.close();
            throw e;
        }
    }

    @Override
    public <T> List<T> list(Shelf<T> shelf, ListQuery query) throws FleetFailure {
        Resource[] needs = shelf.needs().toArray(Resource[]::new);
        try (StoredFleet stored =
                shelf == Shelf.PROFILES ? withUsers(query.namespace()) : stored(query.namespace(), needs)) {
            return stored.list(shelf, query);
        }
    }

    /** Profiles of one namespace are used in others, which are read too where the user may. */
    private StoredFleet withUsers(String namespace) throws FleetFailure {
        try {
            return stored("", Resource.OPERATING_SYSTEM_PROFILES);
        } catch (FleetFailure e) {
            if (e.kind() != Kind.NOT_ALLOWED || namespace.isEmpty()) {
                throw e;
            }
            return stored(namespace, Resource.OPERATING_SYSTEM_PROFILES);
        }
    }

    @Override
    public WorkerCluster workerCluster(String namespace, String name) throws FleetFailure {
        try {
            return ShownWorkerCluster.of(send(ApiRequest.get(Resource.WORKER_CLUSTERS, namespace, name)));
        } catch (ApiFailure e) {
            throw e.isNotFound() ? notFound(namespace, name) : Failing.of(e, server);
        }
    }

    private FleetFailure notFound(String namespace, String name) throws FleetFailure {
        List<String> names = workerClusters(ListQuery.in(namespace)).stream()
                .map(cluster -> cluster.metadata().name())
                .toList();
        String cure = Suggestion.closest(name, names)
                .map(near -> "did you mean " + near + "?")
                .orElse("hub cluster list -A shows all");
        return new FleetFailure(
                Kind.NOT_FOUND, "no WorkerCluster " + name + " in namespace " + namespace + "; " + cure);
    }

    @Override
    public OspDetail profile(String namespace, String name) throws FleetFailure {
        try (StoredFleet stored = withUsers(namespace)) {
            return stored.profile(namespace, name);
        }
    }

    @Override
    public OscDetail configuration(String namespace, String name) throws FleetFailure {
        try (StoredFleet stored = stored(namespace, Resource.OPERATING_SYSTEM_CONFIGS)) {
            return stored.configuration(namespace, name);
        }
    }

    @Override
    public MachineDeploymentDetail machineDeployment(String tenant, String namespace, String name) throws FleetFailure {
        try (StoredFleet stored = diagnosing(tenant)) {
            return stored.machineDeployment(tenant, namespace, name);
        }
    }

    private StoredFleet diagnosing(String tenant) throws FleetFailure {
        return stored(tenant, Resource.WORKER_CLUSTERS, Resource.OPERATING_SYSTEM_CONFIGS);
    }

    @Override
    public WhyReport why(String tenant, String namespace, String name) throws FleetFailure {
        try (StoredFleet stored = diagnosing(tenant)) {
            return stored.why(tenant, namespace, name);
        }
    }

    @Override
    public WhyReport whyMachine(String tenant, String namespace, String machine) throws FleetFailure {
        try (StoredFleet stored = diagnosing(tenant)) {
            return stored.whyMachine(tenant, namespace, machine);
        }
    }

    /** Nothing is stored of what was never rendered; what keeps a whole tenant from it stands at the WorkerCluster. */
    @Override
    public List<String> reservations(String tenant) throws FleetFailure {
        List<String> lines = new ArrayList<>();
        lines.add("told from what is stored, and of a MachineDeployment that was never rendered nothing is; a hub"
                + " (--server) knows all of them");
        for (ProblemEntry problem : list(Shelf.PROBLEMS, ListQuery.in(tenant))) {
            if (problem.severity() == Severity.ERROR && problem.object() != null && isOfTheTenant(problem.object())) {
                lines.add("open in " + tenant + ": " + problem.reason().word() + ": " + problem.message());
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
                Kind.UNUSABLE,
                "what a change would do is rendered by the hub, which knows the MachineDeployments; name its API with"
                        + " --server or OSM_HUB_SERVER");
    }

    @Override
    public ProfileLint lint(String namespace, String name, MatrixChoice choice) throws FleetFailure {
        try {
            JsonNode object = send(ApiRequest.get(Resource.OPERATING_SYSTEM_PROFILES, namespace, name));
            if (object.path("metadata") instanceof ObjectNode metadata) {
                metadata.remove(List.of("managedFields", "annotations"));
            }
            return new ProfileLint.Text(WireJson.text(object));
        } catch (ApiFailure e) {
            throw e.isNotFound() ? noProfile(namespace, name) : Failing.of(e, server);
        }
    }

    private FleetFailure noProfile(String namespace, String name) throws FleetFailure {
        try (StoredFleet stored = stored(namespace, Resource.OPERATING_SYSTEM_PROFILES)) {
            return stored.noProfile(namespace, name);
        }
    }

    @Override
    public void follow(Wanted wanted, Receiver receiver) throws FleetFailure {
        try (StoredFleet stored = stored(wanted.namespace(), Resource.WORKER_CLUSTERS)) {
            stored.follow(wanted, receiver);
        }
    }

    @Override
    public Registrations registrations() {
        return new DirectRegistrations(this);
    }

    @Override
    public String describe() {
        return server;
    }

    private JsonNode send(ApiRequest request) throws ApiFailure {
        try {
            return WireJson.read(management.send(request));
        } catch (IOException e) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not JSON");
        }
    }

    @Override
    public void close() {
        clients.close();
    }
}

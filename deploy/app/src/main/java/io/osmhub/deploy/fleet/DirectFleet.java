package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.registration.ShownWorkerCluster;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.ManagementAccess;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Straight from the management cluster, with the rights of the kubeconfig's user: what is stored, without what only a hub knows. */
public final class DirectFleet implements FleetSource {
    private static final String PAGE = "500";

    private final Clients clients;
    private final KubeApi management;
    private final String server;

    private DirectFleet(Clients clients, KubeApi management, String server) {
        this.clients = clients;
        this.management = management;
        this.server = server;
    }

    /** Opens the management cluster that the way names; nothing is asked of it yet. */
    public static DirectFleet open(Remote remote) throws FleetFailure {
        ManagementAccess access = access(remote);
        Clients clients = Clients.start();
        ApiClient client = clients.pool()
                .management(
                        access,
                        ClientLimits.MANAGEMENT.withRequestTimeout(remote.timeout()),
                        RequestObserver.NONE,
                        ConnectionObserver.NONE);
        return new DirectFleet(
                clients, new UserApi(client.api()), access.server().toString());
    }

    static ManagementAccess access(Remote remote) throws FleetFailure {
        try {
            return remote.kubeconfig() == null
                    ? ManagementAccess.ofEnvironment()
                    : ManagementAccess.ofKubeconfig(remote.kubeconfig(), remote.context());
        } catch (IOException e) {
            throw new FleetFailure(FleetFailure.Kind.UNUSABLE, String.valueOf(e.getMessage()));
        }
    }

    /** The management cluster's API with the user's rights. */
    public KubeApi management() {
        return management;
    }

    /** Clients of the same run. */
    public Clients clients() {
        return clients;
    }

    @Override
    public List<WorkerCluster> workerClusters(ListQuery query) throws FleetFailure {
        List<WorkerCluster> found = new ArrayList<>();
        String next = "";
        do {
            Map<String, String> parameters = new HashMap<>(Map.of("limit", PAGE));
            if (!next.isEmpty()) {
                parameters.put("continue", next);
            }
            if (!query.labelSelector().isEmpty()) {
                parameters.put("labelSelector", query.labelSelector());
            }
            JsonNode page = ask(ApiRequest.list(Resource.WORKER_CLUSTERS, query.namespace(), parameters));
            page.path("items").forEach(item -> found.add(ShownWorkerCluster.of(item)));
            next = page.path("metadata").path("continue").asText("");
        } while (!next.isEmpty());
        List<WorkerCluster> sorted = found.stream()
                .filter(cluster -> matches(cluster, query.search()))
                .sorted(order(query.sort()))
                .toList();
        return query.limit() > 0 && sorted.size() > query.limit() ? sorted.subList(0, query.limit()) : sorted;
    }

    private static boolean matches(WorkerCluster cluster, String search) {
        String wanted = search.toLowerCase(Locale.ROOT);
        return wanted.isEmpty()
                || cluster.metadata().name().contains(wanted)
                || cluster.metadata().namespace().contains(wanted)
                || Optional.ofNullable(cluster.metadata().labels()).stream()
                        .flatMap(labels -> labels.values().stream())
                        .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains(wanted));
    }

    /** The fields of the API's lists that every stored object has. */
    private static Comparator<WorkerCluster> order(String sort) throws FleetFailure {
        Comparator<WorkerCluster> ties = Comparator.comparing(
                        (WorkerCluster cluster) -> cluster.metadata().namespace())
                .thenComparing(cluster -> cluster.metadata().name());
        Comparator<WorkerCluster> order = null;
        for (String field : (sort.isEmpty() ? "-state" : sort).split(",")) {
            boolean descending = field.startsWith("-");
            Comparator<WorkerCluster> one = field(descending ? field.substring(1) : field);
            Comparator<WorkerCluster> directed = descending ? one.reversed() : one;
            order = order == null ? directed : order.thenComparing(directed);
        }
        return order == null ? ties : order.thenComparing(ties);
    }

    private static Comparator<WorkerCluster> field(String name) throws FleetFailure {
        return switch (name) {
            case "state" -> Comparator.comparingInt(cluster -> Harm.of(cluster.state()));
            case "name" -> Comparator.comparing(cluster -> cluster.metadata().name());
            case "namespace" ->
                Comparator.comparing(cluster -> cluster.metadata().namespace());
            case "createdAt" ->
                Comparator.comparing(cluster -> cluster.metadata().createdAt());
            case "kubernetesVersion" ->
                Comparator.comparing(
                        cluster -> cluster.status().kubernetesVersion(),
                        Comparator.nullsLast(Comparator.naturalOrder()));
            case "credentialsExpireAt" ->
                Comparator.comparing(
                        cluster -> cluster.status().credentialsExpireAt(),
                        Comparator.nullsLast(Comparator.naturalOrder()));
            case "lastSyncTime" ->
                Comparator.comparing(
                        cluster -> cluster.status().lastSyncTime(), Comparator.nullsLast(Comparator.naturalOrder()));
            default ->
                throw new FleetFailure(
                        FleetFailure.Kind.UNUSABLE,
                        "cannot sort worker clusters by " + name
                                + "; use state, name, namespace, createdAt, kubernetesVersion, credentialsExpireAt or lastSyncTime");
        };
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
                FleetFailure.Kind.NOT_FOUND, "no WorkerCluster " + name + " in namespace " + namespace + "; " + cure);
    }

    @Override
    public Registrations registrations() {
        return new DirectRegistrations(this);
    }

    @Override
    public String describe() {
        return server;
    }

    JsonNode ask(ApiRequest request) throws FleetFailure {
        try {
            return send(request);
        } catch (ApiFailure e) {
            throw Failing.of(e, server);
        }
    }

    private JsonNode send(ApiRequest request) throws ApiFailure {
        try {
            return WireJson.read(management.send(request));
        } catch (IOException e) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "the answer is not JSON");
        }
    }

    @Override
    public void close() {
        clients.close();
    }
}

package io.osmhub.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.e2e.ExampleObjects;
import io.osmhub.e2e.RealTenant;
import io.osmhub.e2e.ShippedManifests;
import io.osmhub.e2e.cluster.AuditLog;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import io.osmhub.e2e.cluster.TrustedHttpClient;
import io.osmhub.sim.controllers.PublishTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kube-apiserver for each cluster, all on one etcd. The hub has the shipped roles. Watches of the benchmark's process measure latencies,
 * from a MachineDeployment's event to those of both its secrets; the audit logs count requests.
 */
final class RealFleet implements MeasuredFleet {
    /** Requests at once that create MachineDeployments. */
    private static final int WRITERS = 16;
    /** Longer than any measurement, in seconds. */
    private static final int WATCH_LIMIT = 36_000;

    private static final int TOO_MANY_REQUESTS = 429;

    private static final String MACHINE_DEPLOYMENTS =
            "/apis/cluster.k8s.io/v1alpha1/namespaces/" + NAMESPACE + "/machinedeployments";
    private static final String SECRETS = "/api/v1/namespaces/cloud-init-settings/secrets";
    private static final String METADATA_ONLY = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

    private static final String PRIORITY_LEVEL = "bench-few-seats";
    /** The least share, without borrowing, and a queue of one request: the next one is rejected with 429. */
    private static final String FEW_SEATS = """
            apiVersion: flowcontrol.apiserver.k8s.io/v1
            kind: PriorityLevelConfiguration
            metadata: {name: bench-few-seats}
            spec:
              type: Limited
              limited:
                nominalConcurrencyShares: 1
                lendablePercent: 0
                borrowingLimitPercent: 0
                limitResponse: {type: Queue, queuing: {queues: 1, handSize: 1, queueLengthLimit: 1}}
            ---
            apiVersion: flowcontrol.apiserver.k8s.io/v1
            kind: FlowSchema
            metadata: {name: bench-few-seats}
            spec:
              matchingPrecedence: 2
              priorityLevelConfiguration: {name: bench-few-seats}
              rules:
              - subjects: [{kind: ServiceAccount, serviceAccount: {namespace: kube-system, name: osm-hub}}]
                resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"], clusterScope: true}]
            """;

    private record Worker(RealTenant tenant, HttpClient watches, PublishTimes times) {
        RealCluster cluster() {
            return tenant.worker();
        }
    }

    private final RealClusters clusters;
    private final FleetExample example;
    private final List<Worker> workers = new ArrayList<>();
    private final ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    private volatile boolean closed;
    private volatile @Nullable String endedWatch;

    private RealFleet(RealClusters clusters, FleetExample example) {
        this.clusters = clusters;
        this.example = example;
    }

    /** Starts the processes, with their files in a folder, and installs what the hub needs in the management cluster. */
    static RealFleet start(Path checkout, Path folder, int workers) throws IOException {
        FleetExample example = FleetExample.read(checkout, SimulatedFleet.PROFILES);
        RealFleet fleet = new RealFleet(RealClusters.withWorkers(workers).start(folder), example);
        RealCluster management = fleet.clusters.management();
        ShippedManifests.definitions().forEach(definition -> {
            management.admin().apply(definition);
            RealClusters.awaitServed(management, ManifestObjects.name(definition));
        });
        // Each write would wait for the webhooks, which this hub does not serve.
        ShippedManifests.management().stream()
                .filter(object -> !object.path("apiVersion").asText().startsWith("admissionregistration.k8s.io/"))
                .forEach(management.admin()::apply);
        management.admin().apply(example.profile());
        return fleet;
    }

    @Override
    public String kind() {
        return "kube-apiservers";
    }

    @Override
    public String managementKubeconfig() {
        return RealTenant.managementKubeconfig(clusters.management());
    }

    @Override
    public int managementPort() {
        return clusters.management().port();
    }

    @Override
    public Set<Integer> workerPorts() {
        return workers.stream().map(worker -> worker.cluster().port()).collect(Collectors.toSet());
    }

    @Override
    public void addTenant(int machineDeployments) {
        int index = workers.size();
        RealCluster management = clusters.management();
        RealCluster cluster = clusters.worker(index + 1);
        RealTenant tenant = new RealTenant("tenant-" + (index + 1), management, cluster);
        ShippedManifests.worker().forEach(cluster.admin()::apply);
        management.admin().apply(ManifestObjects.namespace(tenant.namespace()));
        RealTenant.bind(management, tenant.namespace());
        tenant.fetchToken("fetch-" + tenant.namespace());
        tenant.clusterInfo(ExampleObjects.clusterInfo(cluster.url(), cluster));
        Worker worker = new Worker(tenant, TrustedHttpClient.of(cluster.certificateAuthority()), new PublishTimes());
        workers.add(worker);
        watch(worker, MACHINE_DEPLOYMENTS, name -> worker.times().onMachineDeploymentCreated(NAMESPACE, name));
        watch(worker, SECRETS, worker.times()::onSecretCreated);
        createAll("workers-", machineDeployments, _ -> index);
        tenant.register();
    }

    /** Returns when the watch has begun. */
    private void watch(Worker worker, String path, Consumer<String> onCreated) {
        RealCluster cluster = worker.cluster();
        String watched = cluster.name() + path;
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(cluster.url() + path + "?watch=true&timeoutSeconds=" + WATCH_LIMIT))
                .header("Authorization", "Bearer " + cluster.adminToken())
                .header("Accept", METADATA_ONLY)
                .build();
        Stream<String> events = Await.awaitPresent(watched + " is watched", () -> open(worker.watches(), request));
        Thread.ofVirtual().start(() -> read(watched, events, onCreated));
    }

    /** Empty while the API server's cache of a new kind answers with 429. */
    private static Optional<Stream<String>> open(HttpClient client, HttpRequest request) {
        try {
            HttpResponse<Stream<String>> response = client.send(request, HttpResponse.BodyHandlers.ofLines());
            return switch (response.statusCode()) {
                case HttpURLConnection.HTTP_OK -> Optional.of(response.body());
                case TOO_MANY_REQUESTS -> Optional.empty();
                default -> throw new IllegalStateException("watch answered with " + response.statusCode());
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void read(String watched, Stream<String> events, Consumer<String> onCreated) {
        String reason = "it ended";
        try {
            events.map(ManifestObjects::json).forEach(event -> onEvent(event, onCreated));
        } catch (RuntimeException e) {
            reason = e.toString();
        }
        if (!closed) {
            endedWatch = watched + ": " + reason;
        }
    }

    private static void onEvent(JsonNode event, Consumer<String> onCreated) {
        switch (event.path("type").asText()) {
            case "ADDED" -> onCreated.accept(event.at("/object/metadata/name").asText());
            case "ERROR" -> throw new IllegalStateException(event.toString());
            default -> {}
        }
    }

    @Override
    public void create(int tenant, String name) {
        Worker worker = workers.get(tenant);
        worker.times().expect(NAMESPACE, name);
        worker.cluster().admin().create(example.machineDeployment(name));
    }

    @Override
    public void createAll(String prefix, int count, IntUnaryOperator tenantOf) {
        CompletableFuture.allOf(IntStream.range(0, count)
                        .mapToObj(i ->
                                CompletableFuture.runAsync(() -> create(tenantOf.applyAsInt(i), prefix + i), writers))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }

    @Override
    public List<PublishTimes> publishTimes() {
        if (endedWatch != null) {
            throw new IllegalStateException("a watch of the benchmark failed: " + endedWatch);
        }
        return workers.stream().map(Worker::times).toList();
    }

    @Override
    public Map<String, Long> requests() {
        return Stream.concat(
                        clusters.management().audit().since(0, RealTenant.HUB_IN_MANAGEMENT).stream(),
                        workers.stream()
                                .flatMap(
                                        worker -> worker.cluster().audit().since(0, RealTenant.HUB_IN_WORKER).stream()))
                .collect(Collectors.groupingBy(RealFleet::kindOf, TreeMap::new, Collectors.counting()));
    }

    private static String kindOf(AuditLog.Entry request) {
        return request.verb() + " " + request.resource();
    }

    /** Number of requests that API Priority and Fairness of the worker clusters has rejected with 429. */
    long rejectedRequests() {
        return workers.stream()
                .map(worker -> metric(worker.cluster(), "apiserver_flowcontrol_rejected_requests_total", ""))
                .mapToLong(rejected -> Math.round(rejected.orElse(0)))
                .sum();
    }

    /** Lets the hub have as few concurrent requests to the first worker cluster as possible, and returns their number. */
    int leaveFewSeats() {
        RealCluster cluster = workers.getFirst().cluster();
        cluster.admin().apply(FEW_SEATS);
        return Await.awaitPresent("the priority level is in use", () -> {
            OptionalDouble seats = metric(cluster, "apiserver_flowcontrol_nominal_limit_seats", PRIORITY_LEVEL);
            return seats.isPresent() ? Optional.of((int) seats.getAsDouble()) : Optional.empty();
        });
    }

    /** Sum over the series whose labels contain a text. */
    private static OptionalDouble metric(RealCluster cluster, String name, String label) {
        double[] values = Pattern.compile("(?m)^" + name + "\\{[^}]*" + Pattern.quote(label) + "[^}]*} (\\S+)$")
                .matcher(cluster.admin().typed().raw("/metrics"))
                .results()
                .mapToDouble(series -> Double.parseDouble(series.group(1)))
                .toArray();
        return values.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Arrays.stream(values).sum());
    }

    @Override
    public void close() {
        closed = true;
        writers.shutdownNow();
        workers.forEach(worker -> worker.watches().shutdownNow());
        clusters.close();
    }
}

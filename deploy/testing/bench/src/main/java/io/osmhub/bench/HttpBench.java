package io.osmhub.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.HubApi;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.CallerRateLimiter;
import io.osmhub.api.access.ReplicaTickets;
import io.osmhub.api.access.ReviewMetrics;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.api.http.Operation;
import io.osmhub.api.inventory.InventoryOperations;
import io.osmhub.api.inventory.LiveValuesExchange;
import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.sim.auth.SimulatedAuthority;
import io.osmhub.sim.auth.SimulatedAuthority.CertifiedKey;
import io.osmhub.tenancy.certificate.FileCertificate;
import io.osmhub.tenancy.certificate.SessionKeys;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.watch.RuntimeContext;
import io.vertx.core.Vertx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Times pages of the real API sequentially over TLS and HTTP/2 on the loopback, with a client in the same process. Callers are
 * authenticated and authorized as usual; the management cluster is fake.
 */
final class HttpBench implements AutoCloseable {
    private static final String FILTERED_OSCS = "/oscs?limit=100&sort=-renderedAt,name&ready=False&search=%s";

    private final Vertx vertx = Vertx.vertx();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Random random = new Random(5);
    private final HubApi api;
    private final HttpClient client;
    private final int port;
    private final int rounds;

    /**
     * Starts the server.
     *
     * @param folder for its certificate
     * @param rounds timed responses per query
     */
    HttpBench(StoredInventory inventory, RuntimeContext around, int tenants, Path folder, int rounds)
            throws IOException, GeneralSecurityException, InterruptedException {
        this.rounds = rounds;
        SimulatedAuthority authority = SimulatedAuthority.create("bench");
        CertifiedKey serving = authority.serving();
        Path certificateFile = folder.resolve("tls.crt");
        Path keyFile = folder.resolve("tls.key");
        Files.writeString(certificateFile, serving.certificatePem());
        Files.writeString(keyFile, serving.keyPem());
        FileCertificate certificate = new FileCertificate(certificateFile, keyFile, null, around);
        certificate.load();
        Set<String> few = new HashSet<>();
        Set<String> all = new HashSet<>();
        for (int i = 0; i < tenants; i++) {
            all.add(GeneratedFleet.namespace(i));
            if (i % 7 == 0 && few.size() < 10) {
                few.add(GeneratedFleet.namespace(i));
            }
        }
        Supplier<Set<String>> namespaces = () -> all;
        SessionKeys keys = new SessionKeys(new AccessReviewServer(few).api(), "osm-hub", new SecureRandom(), around);
        PeerReplicas peers = new PeerReplicas(
                vertx,
                ApiContract.load(),
                certificate,
                new ReplicaTickets(keys, InstantSource.system()),
                () -> "bench",
                threads);
        api = new HubApi(
                new HubApi.ApiDependencies(
                        vertx,
                        new AccessReviewServer(few).api(),
                        namespaces,
                        namespaces,
                        access -> operations(inventory, access, peers),
                        access -> List.of(),
                        new FleetStatistics(),
                        inventory::changes,
                        certificate,
                        HttpObserver.NONE,
                        ReviewMetrics.NONE,
                        keys,
                        peers,
                        List.of(),
                        threads),
                new HubApi.ApiOptions(
                        List.of("osm-hub"),
                        Duration.ofSeconds(10),
                        Duration.ofHours(8),
                        new CallerRateLimiter.CallerRateLimit(1_000_000, 1_000_000),
                        1 << 20,
                        false,
                        false,
                        "osm-profiles",
                        null));
        port = api.listen("127.0.0.1", 0)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        client = HttpClient.newBuilder().sslContext(trusting(authority)).build();
    }

    /** Read operations; others are rejected. */
    private static List<Operation> operations(StoredInventory inventory, CallerAuthorizer access, PeerReplicas peers) {
        List<Operation> operations = new ArrayList<>(
                new InventoryOperations(inventory, access, new LiveValuesExchange(inventory, peers, System::nanoTime))
                        .operations());
        Set<String> there = operations.stream().map(Operation::id).collect(Collectors.toSet());
        there.addAll(Set.of("getMe", "signIn", "signOut"));
        for (ContractOperation each : peers.contract().operations()) {
            if (!there.contains(each.id())) {
                operations.add(Operation.of(each.id(), call -> {
                    throw ApiProblem.notFound("this operation in a benchmark");
                }));
            }
        }
        return operations;
    }

    static SSLContext trusting(SimulatedAuthority authority) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry(
                "bench",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(authority.pem().getBytes(UTF_8))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    List<InventoryBench.Timing> run() throws IOException, InterruptedException, ApiProblem {
        Map<String, InventoryBench.TimedQuery> queries = new LinkedHashMap<>();
        questions().forEach((what, request) -> queries.put(what, () -> requirePage(request.get())));
        return InventoryBench.time(queries, rounds, false);
    }

    private void requirePage(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() != 200 || answer.version() != HttpClient.Version.HTTP_2) {
            throw new IOException(request.uri().getPath() + ": " + answer.statusCode() + " " + answer.version() + " "
                    + new String(answer.body(), UTF_8));
        }
    }

    private Map<String, Supplier<HttpRequest>> questions() {
        Map<String, Supplier<HttpRequest>> questions = new LinkedHashMap<>();
        questions.put("OSCs, first page", () -> get("/oscs?limit=100", AccessReviewServer.ALL));
        questions.put(
                "OSCs, filter + sort + search", () -> get(FILTERED_OSCS.formatted(text()), AccessReviewServer.ALL));
        questions.put(
                "OSCs, filter + sort + search, one of 10 tenants",
                () -> get(FILTERED_OSCS.formatted(text()), AccessReviewServer.FEW));
        questions.put(
                "MachineDeployments, worst first", () -> get("/machine-deployments?limit=100", AccessReviewServer.ALL));
        questions.put(
                "MachineDeployments, filter + sort + search",
                () -> get(
                        "/machine-deployments?limit=100&sort=-createdAt,name&newNodes=Blocked&search=" + text(),
                        AccessReviewServer.ALL));
        questions.put("worker clusters, worst first", () -> get("/worker-clusters?limit=100", AccessReviewServer.ALL));
        questions.put(
                "problems, filter + sort + search",
                () -> get(
                        "/problems?limit=100&severity=Error&sort=-affected,since&search=" + text(),
                        AccessReviewServer.ALL));
        questions.put("summary", () -> get("/summary", AccessReviewServer.ALL));
        return questions;
    }

    private String text() {
        return InventoryBench.TEXTS.get(random.nextInt(InventoryBench.TEXTS.size()));
    }

    private HttpRequest get(String path, String token) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + ApiContract.BASE + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + token)
                .header("Accept-Encoding", "identity")
                .build();
    }

    @Override
    public void close() {
        client.shutdownNow();
        try {
            api.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
            vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the benchmark's server does not stop", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            threads.shutdownNow();
        }
    }

    /** A management cluster with two callers, identified by token: {@link #ALL} may see every tenant, {@link #FEW} some. */
    static final class AccessReviewServer implements ServerHandler {
        static final String ALL = "all";
        static final String FEW = "few";

        private static final ObjectMapper JSON = new ObjectMapper();

        private final Set<String> fewOfThem;

        /** @param fewOfThem namespaces that {@link #FEW} may see */
        AccessReviewServer(Set<String> fewOfThem) {
            this.fewOfThem = Set.copyOf(fewOfThem);
        }

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            try {
                JsonNode review = JSON.readTree(request.body());
                ObjectNode status = JSON.createObjectNode();
                if (request.resource().equals(Resource.TOKEN_REVIEWS)) {
                    status.put("authenticated", true)
                            .putObject("user")
                            .put("username", review.path("spec").path("token").asText());
                    status.putArray("audiences").add("osm-hub");
                } else {
                    String namespace = review.path("spec")
                            .path("resourceAttributes")
                            .path("namespace")
                            .asText("");
                    boolean all = review.path("spec").path("user").asText().equals(ALL);
                    status.put("allowed", all || fewOfThem.contains(namespace));
                }
                ObjectNode answer = JSON.createObjectNode();
                answer.set("status", status);
                return answer.toString().getBytes(UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            throw new UnsupportedOperationException("only reviews are supported");
        }
    }
}

package io.osmhub.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.run.HubService;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.auth.Authorizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The real hub with its API over simulated clusters, and a client of it that trusts what it is told to trust. */
final class LiveApi implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String USUAL_API = "api: {address: \"127.0.0.1:0\"}";
    private static final String GENEROUS = "authCacheTTL: 60s, rateLimit: {requestsPerMinute: 60000, burst: 10000}";

    private final SimulatedFleet stage;
    private final HubService hub;
    private final HubConfiguration configuration;
    private @Nullable HttpClient client;
    private @Nullable String server;

    private LiveApi(SimulatedFleet stage, HubService hub, HubConfiguration configuration) {
        this.stage = stage;
        this.hub = hub;
        this.configuration = configuration;
    }

    /** Simulated clusters whose API server asks for rights: tenants {@code cluster-N} with worker clusters {@code worker-N}. */
    static SimulatedFleet stage(int tenants) {
        SimulatedFleet stage =
                SimulatedFleet.build(SimulationOptions.defaults().withAuthorization(Authorizer.Mode.RBAC));
        for (int i = 0; i < tenants; i++) {
            stage.addTenant("cluster-" + i, "worker-" + i);
        }
        return stage;
    }

    /**
     * A hub that is ready, whose API does not listen yet.
     *
     * @param more keys of the configuration's {@code api}, beside the address
     */
    static LiveApi start(SimulatedFleet stage, Path folder, String more) throws Exception {
        return start(stage, folder, more, "osm-hub-trials", "replicas: {mode: Single}\n");
    }

    /** One of several replicas. */
    static LiveApi startReplica(SimulatedFleet stage, Path folder, String replica) throws Exception {
        return start(stage, folder, "", replica, "");
    }

    private static LiveApi start(SimulatedFleet stage, Path folder, String more, String replica, String mode)
            throws Exception {
        List<SimulatedCluster> clusters = new ArrayList<>(List.of(stage.management()));
        stage.tenants().forEach(tenant -> clusters.add(tenant.cluster()));
        Path kubeconfig = folder.resolve("kubeconfig");
        Workspace.writeKubeconfig(kubeconfig, clusters);
        Path file = folder.resolve("hub.yaml");
        Files.writeString(
                file,
                Workspace.hubConfiguration(kubeconfig)
                        .replace("replicas: {mode: Single}\n", mode)
                        .replace(
                                USUAL_API,
                                "api: {address: \"127.0.0.1:0\", " + GENEROUS + (more.isEmpty() ? "" : ", " + more)
                                        + "}"));
        HubConfiguration read = read(file);
        HubService hub = HubService.run(read, false, replica);
        awaitTrue(hub::isReady);
        return new LiveApi(stage, hub, read);
    }

    /** The configuration in a file, which has to be right. */
    static HubConfiguration read(Path file) {
        ConfigurationSources sources =
                new ConfigurationSources(file.toString(), ConfigurationSources.USUAL_FILE, Map.of(), List.of());
        return switch (ConfigurationLoader.load(sources)) {
            case ConfigurationLoader.Result.Loaded loaded -> loaded.effective().configuration();
            case ConfigurationLoader.Result.Refused refused -> throw new AssertionError(refused.mistakes());
        };
    }

    /** Listens; callers trust the hub's own authority, as it stands in its Secret. */
    void listen() throws Exception {
        int port = port();
        awaitTrue(() -> stage.management()
                .objects()
                .get("v1", "Secret", "osm-hub", "osm-hub-webhook-tls")
                .isPresent());
        ObjectNode secret = stage.management()
                .objects()
                .get("v1", "Secret", "osm-hub", "osm-hub-webhook-tls")
                .orElseThrow();
        List<String> authorities = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : secret.path("data").properties()) {
            String text = new String(Base64.getDecoder().decode(entry.getValue().asText()), StandardCharsets.UTF_8);
            if (text.contains("BEGIN CERTIFICATE")) {
                authorities.add(text);
            }
        }
        connect(port, authorities);
    }

    /** Listens; callers trust this authority only. */
    void listen(String authority) throws Exception {
        connect(port(), List.of(authority));
    }

    private int port() throws IOException {
        return hub.listenForCallers(configuration.api().address().orElseThrow());
    }

    private void connect(int port, List<String> authorities) throws Exception {
        server = "https://127.0.0.1:" + port;
        if (client != null) {
            client.shutdownNow();
        }
        client = HttpClient.newBuilder().sslContext(trusting(authorities)).build();
    }

    /** Trusts another authority from now on. */
    void trust(String authority) throws Exception {
        connect(URI.create(server()).getPort(), List.of(authority));
    }

    private static SSLContext trusting(List<String> authorities) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (String authority : authorities) {
            store.setCertificateEntry(
                    "authority-" + store.size(),
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(authority.getBytes(StandardCharsets.UTF_8))));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /** Where it listens. */
    String server() {
        if (server == null) {
            throw new IllegalStateException("it does not listen yet");
        }
        return server;
    }

    HttpClient client() {
        if (client == null) {
            throw new IllegalStateException("it does not listen yet");
        }
        return client;
    }

    /** A token with all permissions. */
    String admin() {
        return stage.management().tokenForAudience("osm-hub", "admin", "system:masters");
    }

    HttpResponse<String> get(String path, String token) throws IOException, InterruptedException {
        return client().send(request(path, token).build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String token, JsonNode body) throws IOException, InterruptedException {
        return client().send(
                        request(path, token)
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path, String token) {
        return HttpRequest.newBuilder(URI.create(server() + ApiContract.BASE + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + token);
    }

    static JsonNode json(HttpResponse<String> answer) throws IOException {
        return JSON.readTree(answer.body());
    }

    /** Waits; what fails on the way to the server is tried again, as its certificate is loaded a moment after it listens. */
    static void awaitTrue(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofMinutes(2))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(condition);
    }

    @Override
    public void close() {
        if (client != null) {
            client.shutdownNow();
        }
        hub.close();
        stage.close();
    }
}

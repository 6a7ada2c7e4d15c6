package io.osmhub.demo;

import io.osmhub.api.ops.OpsServer.ServedPaths;
import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.run.HubService;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A real hub over simulated clusters that serves everything it can be looked at by, with series for each tenant. */
final class ObservedHub implements AutoCloseable {
    private static final ListenAddress ANY = new ListenAddress("127.0.0.1", 0);
    private static final MachineDeploymentName WORKERS = new MachineDeploymentName("kube-system", "workers");

    private final SimulatedFleet stage;
    private final HubService service;
    private final HttpClient client;
    private final String readinessBeforeApi;
    private final int ops;
    private final int api;
    private final int webhooks;

    /** @param more additional lines of configuration */
    ObservedHub(Path folder, String more) throws Exception {
        stage = SimulatedFleet.build(SimulationOptions.defaults());
        Path kubeconfig = folder.resolve("kubeconfig");
        Workspace.writeKubeconfig(kubeconfig, List.<SimulatedCluster>of(stage.management()));
        Path file = folder.resolve("hub.yaml");
        Files.writeString(
                file,
                Workspace.hubConfiguration(kubeconfig)
                                .replace("replicas: {mode: Single}\n", "")
                                .replace(
                                        "metrics: {address: \"127.0.0.1:0\"}",
                                        "metrics: {address: \"127.0.0.1:0\", perTenant: true}")
                                .replace("webhooks: {address: \"\"}", "webhooks: {address: \"127.0.0.1:0\"}")
                        + more);
        service = HubService.run(LiveApi.read(file), false, "osm-hub-observed");
        ops = service.listen(ANY, new ServedPaths(true, true));
        client = HttpClient.newBuilder().sslContext(trustingAnybody()).build();
        LiveApi.awaitTrue(() -> get("/readyz?exclude=api&exclude=webhook").statusCode() == 200);
        readinessBeforeApi = get("/readyz").body();
        api = service.listenForCallers(ANY);
        webhooks = service.listenForReviews(ANY);
        // Lists are read, and the servers have their certificate.
        LiveApi.awaitTrue(() -> get("/readyz").statusCode() == 200);
    }

    SimulatedFleet stage() {
        return stage;
    }

    HubService service() {
        return service;
    }

    int webhooks() {
        return webhooks;
    }

    /** A tenant that is registered, with a MachineDeployment that the hub publishes; waits until that is done. */
    SimulatedTenant publish(String namespace) throws Exception {
        SimulatedTenant tenant = stage.addTenant(namespace, "worker-" + namespace);
        stage.register(tenant);
        new DemoTenant(tenant).create(WORKERS, MachineFlavor.UBUNTU_ON_AWS, 1);
        LiveApi.awaitTrue(() -> service.hub().tenants().stream()
                .anyMatch(view -> view.namespace().equals(namespace)
                        && view.sync() != null
                        && view.sync().machineDeployments().stream()
                                .anyMatch(state -> state.problems().isEmpty()
                                        && state.newNodes().name().equals("CURRENT"))));
        return tenant;
    }

    /** The answer of {@code /readyz} when all but the API was ready. */
    String readinessBeforeApi() {
        return readinessBeforeApi;
    }

    String readiness() throws Exception {
        return get("/readyz").body();
    }

    String scrape() throws Exception {
        return get("/metrics").body();
    }

    /** What the kubelet asks, which ends the pod when the answer is no. */
    boolean isAlive() throws Exception {
        return get("/livez").statusCode() == 200;
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ops + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Asks the API as an administrator. */
    HttpResponse<String> callApi(String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + api + path))
                .header(
                        "Authorization",
                        "Bearer " + stage.management().tokenForAudience("osm-hub", "admin", "system:masters"))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Asks a webhook, as an API server does. */
    HttpResponse<String> review(String path, String review) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + webhooks + path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(review))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The hub signs for its names itself; whom it shows is not what these tests are about. */
    private static SSLContext trustingAnybody() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustAllManager()}, new SecureRandom());
        return context;
    }

    private static final class TrustAllManager extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        service.close();
        stage.close();
    }
}

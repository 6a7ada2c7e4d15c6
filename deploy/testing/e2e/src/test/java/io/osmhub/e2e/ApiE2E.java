package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.FreePort;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import io.osmhub.e2e.cluster.TrustedHttpClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The REST API on real API servers: who is asked for, who may see what, and a tenant's life through it. */
final class ApiE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    private static final String TENANT = "tenant-rest";
    private static final String SHOP = "/namespaces/" + TENANT + "/worker-clusters/shop";

    private static int port;
    private static RealTenant tenant;
    private static InstalledHub hub;
    private static HttpClient http;

    private final RealCluster management = CLUSTERS.management();

    @BeforeAll
    static void start() {
        RealCluster management = CLUSTERS.management();
        port = FreePort.find();
        var kubeconfig = RealTenant.prepareManagement(management, CLUSTERS.folder());
        tenant = RealTenant.prepare(TENANT, management, CLUSTERS.worker(1));
        management.admin().apply("""
            apiVersion: v1
            kind: ServiceAccount
            metadata: {namespace: default, name: operator}
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata: {namespace: default, name: stranger}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: operator-may-everything}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
            subjects: [{kind: ServiceAccount, namespace: default, name: operator}]
            """);
        hub = InstalledHub.run(CLUSTERS.folder(), kubeconfig, """
            apiVersion: config.osmhub.io/v1alpha1
            kind: HubConfiguration
            kubeconfigPolicy:
              allow: [Loopback]
            api: {address: "127.0.0.1:%d"}
            webhooks: {address: ""}
            log: {format: console}
            """.formatted(port))
                .awaitReady();
        JsonNode authority =
                management.admin().get(ApiResource.SECRETS.in(InstalledHub.NAMESPACE, "osm-hub-webhook-tls"));
        http = TrustedHttpClient.of(ManifestObjects.value(authority, "ca.crt"));
        Await.until("the API answers", ApiE2E::answers);
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static String token(String serviceAccount) {
        return CLUSTERS.management().tokenFor("osm-hub", "default", serviceAccount);
    }

    private static boolean answers() {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/openapi.yaml"))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notListening) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static HttpResponse<String> ask(String method, String path, String token, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/api/v1" + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return ManifestObjects.json(answer.body());
    }

    @Test
    void whoSaysNotWhoTheyAreIsToldNothing() {
        HttpResponse<String> answer = ask("GET", "/worker-clusters", "", "");

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(json(answer).path("type").asText()).isEqualTo("urn:osmhub:problem:unauthenticated");
    }

    private static SSLSocket connect(Predicate<String> suites) throws IOException {
        SSLSocket socket = (SSLSocket) http.sslContext().getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout(60_000);
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        socket.setEnabledCipherSuites(
                Stream.of(socket.getEnabledCipherSuites()).filter(suites).toArray(String[]::new));
        return socket;
    }

    @Test
    void cipherSuitesWithoutAuthenticatedEncryptionAreRefused() throws IOException {
        try (SSLSocket socket = connect(suite -> suite.contains("_CBC_"))) {
            assertThatExceptionOfType(SSLException.class).isThrownBy(socket::startHandshake);
        }
    }

    @Test
    void aClientCannotRenegotiate() throws IOException {
        try (SSLSocket socket = connect(suite -> suite.contains("_GCM_"))) {
            socket.startHandshake();

            socket.startHandshake();

            // The second one begins a renegotiation, which the next read carries out.
            socket.getOutputStream().write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> socket.getInputStream().read());
        }
    }

    @Test
    void aTokenForSomebodyElseIsNotTaken() {
        assertThat(ask("GET", "/me", management.token("default", "operator"), "")
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void aTenantIsRegisteredSeenAndRemoved() {
        String operator = token("operator");
        String stranger = token("stranger");
        ObjectNode registration = JsonNodeFactory.instance.objectNode().put("kubeconfig", tenant.workerKubeconfig());

        HttpResponse<String> refused = ask("PUT", SHOP, stranger, registration.toString());
        assertThat(refused.statusCode()).as(refused.body()).isIn(403, 404);

        HttpResponse<String> made = ask("PUT", SHOP, operator, registration.toString());
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        assertThat(made.body()).doesNotContain("token:");
        Await.until("it is in sync", () -> json(ask("GET", SHOP, operator, ""))
                .path("state")
                .asText()
                .equals("Synced"));

        assertThat(json(ask("GET", "/worker-clusters?search=shop", operator, ""))
                        .path("total")
                        .asInt())
                .isOne();
        assertThat(json(ask("GET", "/worker-clusters", stranger, ""))
                        .path("total")
                        .asInt())
                .isZero();
        assertThat(ask("GET", SHOP, stranger, "").statusCode()).isEqualTo(404);

        HttpResponse<String> tested = ask("POST", SHOP + "/test", operator, "");
        assertThat(json(tested).path("passed").asBoolean()).as(tested.body()).isTrue();

        assertThat(ask("DELETE", SHOP, operator, "").statusCode()).isEqualTo(202);
        Await.until(
                "it is deleted with its Secret",
                () -> ask("GET", SHOP, operator, "").statusCode() == 404
                        && management
                                .admin()
                                .find(ApiResource.SECRETS.in(TENANT, "shop-kubeconfig"))
                                .isEmpty());
    }
}

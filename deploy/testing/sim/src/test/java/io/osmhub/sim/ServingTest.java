package io.osmhub.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.contract.ApiCaller;
import io.osmhub.sim.objects.JsonTrees;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How clusters are reached: ports, certificates and kubeconfigs. */
final class ServingTest {
    private static SimulatedClusters clusters;

    @BeforeAll
    static void start() {
        SimulationOptions options = new SimulationOptions(0, true, Authorizer.Mode.RBAC, 10, 4096);
        clusters = SimulatedClusters.start(50, options);
    }

    @AfterAll
    static void stop() {
        clusters.close();
    }

    @Test
    void manyClustersAreApart() {
        clusters.cluster(7)
                .objects()
                .create(
                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"only-here\",\"namespace\":\"default\"}}");

        assertThat(clusters.all())
                .extracting(SimulatedCluster::port)
                .doesNotHaveDuplicates()
                .hasSize(50);
        for (SimulatedCluster cluster : clusters.all()) {
            int code = ApiCaller.of(new ClusterTarget(cluster))
                    .get("/api/v1/namespaces/default/configmaps/only-here")
                    .code();
            assertThat(code).isEqualTo(cluster == clusters.cluster(7) ? 200 : 404);
        }
    }

    @Test
    void aTokenOfOneClusterIsNothingInAnother() {
        ApiCaller other = ApiCaller.of(new ClusterTarget(clusters.cluster(2)))
                .as(clusters.cluster(1).adminToken());

        assertThat(other.get("/api/v1/namespaces").code()).isEqualTo(401);
    }

    @Test
    void aClientCertificateTellsWhoIsAsking() throws Exception {
        SimulatedCluster cluster = clusters.cluster(3);
        JsonNode config =
                JsonTrees.read(cluster.kubeconfigWithCertificate(Duration.ofHours(1), "alice", "system:masters"));

        HttpClient client = HttpClient.newBuilder().sslContext(tls(config)).build();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(cluster.url() + "/apis/authentication.k8s.io/v1/selfsubjectreviews"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        JsonNode review =
                JsonTrees.parse(client.send(request, BodyHandlers.ofByteArray()).body());

        assertThat(review.at("/status/userInfo/username").asText()).isEqualTo("alice");
        assertThat(review.at("/status/userInfo/groups").toString()).contains("system:masters");
    }

    @Test
    void aRevokedTokenIsRefused() {
        SimulatedCluster cluster = clusters.cluster(4);
        String token = cluster.tokenFor("bob", "system:masters");
        ApiCaller bob = ApiCaller.of(new ClusterTarget(cluster)).as(token);
        assertThat(bob.get("/api/v1/namespaces").code()).isEqualTo(200);

        cluster.revoke(token);

        assertThat(bob.get("/api/v1/namespaces").code()).isEqualTo(401);
    }

    @Test
    void aShortHistoryExpiresOldRevisions() {
        SimulatedCluster cluster = clusters.cluster(5);
        long old = cluster.objects().revision();
        for (int i = 0; i < 20; i++) {
            cluster.objects()
                    .create(
                            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c-%d\",\"namespace\":\"default\"}}"
                                    .formatted(i));
        }

        try (ApiCaller.OpenWatch watch = ApiCaller.of(new ClusterTarget(cluster))
                .watch("/api/v1/configmaps?watch=true&resourceVersion=" + old)) {
            assertThat(watch.next().at("/object/reason").asText()).isEqualTo("Expired");
        }
    }

    @Test
    void webSocketsAreRefusedSoThatClientsFallBack() throws Exception {
        SimulatedCluster cluster = clusters.cluster(6);
        HttpClient client = HttpClient.newBuilder()
                .sslContext(tls(JsonTrees.read(
                        cluster.kubeconfigWithCertificate(Duration.ofHours(1), "alice", "system:masters"))))
                .build();

        assertThatThrownBy(() -> client.newWebSocketBuilder()
                        .buildAsync(
                                URI.create(cluster.url().replace("https", "wss") + "/api/v1/namespaces?watch=true"),
                                new WebSocket.Listener() {})
                        .join())
                .hasCauseInstanceOf(WebSocketHandshakeException.class);
        assertThat(cluster.counters().all().toString())
                .contains("verb=watch, resource=namespaces, user=alice, code=503");
    }

    private static SSLContext tls(JsonNode kubeconfig) throws Exception {
        CertificateFactory certificates = CertificateFactory.getInstance("X.509");
        JsonNode user = kubeconfig.at("/users/0/user");
        Certificate own = certificates.generateCertificate(
                new ByteArrayInputStream(decoded(user.path("client-certificate-data"))));
        String pem = new String(decoded(user.path("client-key-data")), StandardCharsets.UTF_8);
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("own", key, new char[0], List.of(own).toArray(Certificate[]::new));
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, new char[0]);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "ca",
                certificates.generateCertificate(new ByteArrayInputStream(
                        decoded(kubeconfig.at("/clusters/0/cluster/certificate-authority-data")))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static byte[] decoded(JsonNode base64) {
        return Base64.getDecoder().decode(base64.asText());
    }
}

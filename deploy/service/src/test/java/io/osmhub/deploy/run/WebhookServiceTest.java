package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.api.ops.OpsServer.ServedPaths;
import io.osmhub.deploy.config.ListenAddress;
import io.osmhub.deploy.dropin.GoFlags;
import io.osmhub.deploy.dropin.WebhookFlags;
import io.vertx.core.net.SelfSignedCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub webhook} in place of the peer's. */
class WebhookServiceTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private void store(SelfSignedCertificate certificate) throws IOException {
        copy(certificate.certificatePath(), "tls.crt");
        copy(certificate.privateKeyPath(), "tls.key");
    }

    private void copy(String from, String name) throws IOException {
        Files.copy(Path.of(from), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private WebhookFlags flags() {
        GoFlags.Result<WebhookFlags> read =
                WebhookFlags.read(List.of("-namespace", "kube-system", "-cert-dir=" + folder));
        assertThat(read).isInstanceOf(GoFlags.Result.Read.class);
        return ((GoFlags.Result.Read<WebhookFlags>) read).flags();
    }

    @Test
    void itAnswersAsThePeerAndTakesOverAnotherCertificate() throws Exception {
        SelfSignedCertificate first = SelfSignedCertificate.create("localhost");
        store(first);
        try (WebhookService service = new WebhookService(flags(), "osm-hub-0")) {
            int port = service.listen(new ListenAddress("127.0.0.1", 0));
            int ops = service.listen(new ListenAddress("127.0.0.1", 0), new ServedPaths(true, true));

            JsonNode answer = ask(first, port, "/mutate-v1alpha1-machinedeployment");
            assertThat(answer.at("/response/allowed").asBoolean()).isTrue();
            assertThat(answer.at("/response/status/message").asText())
                    .isEqualTo("machinedeployment mutation request u-1 allowed; mutation is not required for delete"
                            + " request");
            assertThat(ask(first, port, "/operatingsystemprofile")
                            .at("/response/allowed")
                            .asBoolean())
                    .isTrue();
            assertThat(ask(first, port, "/operatingsystemconfig")
                            .at("/response/allowed")
                            .asBoolean())
                    .isTrue();
            for (String path : List.of("/healthz", "/readyz")) {
                assertThat(get(ops, path).statusCode()).isEqualTo(200);
            }
            assertThat(get(ops, "/metrics").body())
                    .contains(
                            "osm_hub_admission_requests_total", "osm_hub_webhook_certificate_expiry_timestamp_seconds");

            SelfSignedCertificate second = SelfSignedCertificate.create("localhost");
            store(second);
            awaitShown(second, port);
            first.delete();
            second.delete();
        }
    }

    private static void awaitShown(SelfSignedCertificate certificate, int port) {
        Awaitility.await("the new certificate")
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> ask(certificate, port, "/operatingsystemconfig") != null);
    }

    private static HttpResponse<String> get(int port, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        BodyHandlers.ofString());
    }

    private static JsonNode ask(SelfSignedCertificate trusted, int port, String path) throws Exception {
        HttpClient client =
                HttpClient.newBuilder().sslContext(trusting(trusted)).build();
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofSeconds(30))
                        .POST(BodyPublishers.ofString("""
                                {"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",
                                 "request":{"uid":"u-1","operation":"DELETE","object":null,"oldObject":{}}}"""))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    private static SSLContext trusting(SelfSignedCertificate certificate) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "ca",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(Files.readAllBytes(Path.of(certificate.certificatePath())))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        return tls;
    }
}

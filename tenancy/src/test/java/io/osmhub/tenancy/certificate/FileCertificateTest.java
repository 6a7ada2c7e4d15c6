package io.osmhub.tenancy.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.tenancy.certificate.CertificateKeyPair.CertificatePem;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(VertxExtension.class)
class FileCertificateTest {
    private final VirtualTime time = new VirtualTime();
    private final CertificateIssuer maker = new CertificateIssuer(new SecureRandom());
    private final CertificateKeyPair authority = maker.createAuthority(Instant.now(), Duration.ofDays(30));

    @TempDir
    private Path folder;

    private FileCertificate provided() {
        FileCertificate provided = new FileCertificate(
                folder.resolve("tls.crt"),
                folder.resolve("tls.key"),
                null,
                new RuntimeContext(time, time, new Random(1)));
        provided.load();
        provided.start();
        time.settle();
        return provided;
    }

    private CertificateKeyPair write() throws IOException {
        CertificateKeyPair leaf =
                maker.issueLeaf(authority, List.of("localhost", "127.0.0.1"), Instant.now(), Duration.ofDays(1));
        Files.writeString(folder.resolve("tls.crt"), CertificatePem.encode(leaf.chain()));
        Files.writeString(folder.resolve("tls.key"), CertificatePem.encode(leaf.key()));
        return leaf;
    }

    @Test
    void filesThatComeLateAreTakenThen() throws IOException {
        FileCertificate provided = provided();
        assertThat(provided.isLoaded()).isFalse();
        assertThat(provided.problem()).contains("tls.crt");

        write();
        time.pass(Duration.ofSeconds(3));

        assertThat(provided.expiryTimes()).containsKey("leaf");
        assertThat(provided.problem()).isNull();
        assertThat(provided.authorities()).isEmpty();
    }

    @Test
    void filesThatDoNotFitLeaveTheShownOneAsItIs() throws IOException {
        CertificateKeyPair leaf = write();
        FileCertificate provided = provided();

        CertificateKeyPair other = maker.issueLeaf(authority, List.of("other"), Instant.now(), Duration.ofDays(2));
        Files.writeString(folder.resolve("tls.crt"), CertificatePem.encode(other.chain()));
        time.pass(Duration.ofSeconds(3));
        assertThat(provided.expiryTimes().get("leaf")).isEqualTo(leaf.notAfter());
        assertThat(provided.problem()).contains("the private key does not match the certificate");

        Files.writeString(folder.resolve("tls.key"), CertificatePem.encode(other.key()));
        time.pass(Duration.ofSeconds(3));
        assertThat(provided.expiryTimes().get("leaf")).isEqualTo(other.notAfter());
        assertThat(provided.problem()).isNull();
    }

    @Test
    void anotherCertificateIsShownUnderLoadWithoutAFailedRequest(Vertx vertx) throws Exception {
        Set<X509Certificate> written = new HashSet<>(Set.of(write().certificate()));
        FileCertificate provided = provided();
        HttpServer server = vertx.createHttpServer(
                        new HttpServerOptions().setSsl(true).setUseAlpn(true).setKeyCertOptions(provided.current()))
                .requestHandler(request -> request.response().end("here"));
        int port = server.listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get()
                .actualPort();
        Set<X509Certificate> seen = ConcurrentHashMap.newKeySet();
        Queue<String> failed = new ConcurrentLinkedQueue<>();
        AtomicBoolean over = new AtomicBoolean();
        SSLContext tls = trusting();
        Thread kept = Thread.ofPlatform().start(() -> callKept(tls, port, over, failed));
        Thread connecting = Thread.ofPlatform().start(() -> connectAnew(tls, port, over, failed, seen));

        try {
            for (int renewal = 0; renewal < 5; renewal++) {
                X509Certificate newest = write().certificate();
                written.add(newest);
                time.pass(Duration.ofSeconds(3));
                awaitSeen(seen, newest, failed);
            }
        } finally {
            over.set(true);
        }
        kept.join();
        connecting.join();

        assertThat(failed).isEmpty();
        assertThat(written).containsAll(seen);
        assertThat(seen).hasSizeGreaterThanOrEqualTo(5);
    }

    private static void awaitSeen(Set<X509Certificate> seen, X509Certificate newest, Queue<String> failed) {
        Awaitility.await("the new certificate").atMost(Duration.ofMinutes(1)).until(() -> {
            assertThat(failed).isEmpty();
            return seen.contains(newest);
        });
    }

    private static void callKept(SSLContext tls, int port, AtomicBoolean over, Queue<String> failed) {
        HttpClient client = HttpClient.newBuilder().sslContext(tls).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/"))
                .timeout(Duration.ofSeconds(30))
                .build();
        while (!over.get()) {
            try {
                if (client.send(request, BodyHandlers.ofString()).statusCode() != 200) {
                    failed.add("another status");
                }
            } catch (IOException e) {
                failed.add(String.valueOf(e));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void connectAnew(
            SSLContext tls, int port, AtomicBoolean over, Queue<String> failed, Set<X509Certificate> seen) {
        while (!over.get()) {
            try (SSLSocket socket =
                    (SSLSocket) tls.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(30_000);
                socket.startHandshake();
                seen.add((X509Certificate) socket.getSession().getPeerCertificates()[0]);
            } catch (IOException e) {
                failed.add(String.valueOf(e));
            }
        }
    }

    private SSLContext trusting() throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", authority.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        // Each connection is to see what is shown now, and not what was remembered of the one before.
        tls.getClientSessionContext().setSessionCacheSize(1);
        tls.getClientSessionContext().setSessionTimeout(1);
        return tls;
    }
}

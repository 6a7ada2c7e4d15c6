package io.osmhub.api.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.api.admission.AdmissionReviewJson.AdmissionRequest;
import io.osmhub.api.http.SelfSignedCertificate;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.admission.AdmissionPath;
import io.osmhub.tenancy.certificate.CertificateOptions;
import io.osmhub.tenancy.certificate.HubIssuedCertificate;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.reconcile.RenderExecutor;
import io.osmhub.workersync.watch.RuntimeContext;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdmissionServerTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PROFILES = "/operatingsystemprofile";
    private static final String EXTENSIONS = "/operatingsystemprofileextension";
    private static final int TRIALS = 1_500;
    /** Longer than any request on a busy machine, since no test is about it. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ProfileRenderCheck trials = new ProfileRenderCheck(RenderExecutor.start(1), System::nanoTime);
    private final Queue<String> observed = new ConcurrentLinkedQueue<>();
    private HttpClient client = HttpClient.newHttpClient();
    private int port;
    private int impatientPort;

    @SuppressWarnings("NullAway.Init") // set before the first test
    private SSLContext trust;

    @SuppressWarnings("NullAway.Init") // set before the first test
    private HubIssuedCertificate certificate;

    @SuppressWarnings("NullAway.Init") // set before the first test
    private AdmissionRoutes routes;

    @BeforeAll
    void listen(Vertx vertx) throws Exception {
        VirtualTime time = new VirtualTime();
        // Certificates are valid by the real clock, which the client looks at.
        time.pass(Duration.between(time.now(), java.time.Instant.now()));
        certificate = new HubIssuedCertificate(
                new SimulatedServer(time).api(),
                "osm-hub",
                new CertificateOptions(new TreeSet<>(List.of("localhost")), Duration.ofDays(90), 0.7),
                () -> true,
                new SecureRandom(),
                new RuntimeContext(time, time, new Random(1)));
        certificate.start();
        time.settle();
        Reviews.FakeHub hub = new Reviews.FakeHub(Map.of(
                "tenant-a/worker",
                Reviews.tenant(
                        machineDeployment -> LookupResult.missing(
                                new Problem(Reason.ProfileNotFound, machineDeployment.describe(), "", "not there", "")),
                        Map.of("ubuntu", "osp-of-a"))));
        routes = AdmissionRoutes.of(hub, trials, Reviews.mayGet("k"));
        AdmissionServer server = new AdmissionServer(
                vertx,
                routes,
                certificate,
                (webhook, allowed, took) -> observed.add(webhook + " " + allowed),
                threads,
                512,
                TIMEOUT,
                TIMEOUT);
        port = server.listen("127.0.0.1", 0)
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        impatientPort = new AdmissionServer(
                        vertx,
                        routes,
                        certificate,
                        (webhook, allowed, took) -> {},
                        threads,
                        512,
                        Duration.ofMillis(200),
                        TIMEOUT)
                .listen("127.0.0.1", 0)
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        trust = SelfSignedCertificate.trusting(Objects.requireNonNull(certificate.authorities()));
        client = HttpClient.newBuilder().sslContext(trust).build();
    }

    @Test
    void anIdleTlsConnectionIsClosed() throws IOException {
        try (SSLSocket socket = (SSLSocket) trust.getSocketFactory().createSocket("localhost", impatientPort)) {
            socket.setSoTimeout(30_000);
            socket.startHandshake();

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aRequestIsAnsweredWhileOthersKeepAsManyConnectionsOpenAsThereMayBe(Vertx vertx) throws Exception {
        int narrow = new AdmissionServer(
                        vertx, routes, certificate, (webhook, allowed, took) -> {}, threads, 4, TIMEOUT, TIMEOUT)
                .listen("127.0.0.1", 0)
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        List<SSLSocket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                SSLSocket socket = (SSLSocket) trust.getSocketFactory().createSocket("localhost", narrow);
                socket.setSoTimeout(30_000);
                socket.startHandshake();
                idle.add(socket);
            }
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create("https://localhost:" + narrow + "/"))
                            .timeout(Duration.ofSeconds(60))
                            .build(),
                    BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(404);
            assertThat(idle.getFirst().getInputStream().read()).isEqualTo(-1);
        } finally {
            for (SSLSocket socket : idle) {
                socket.close();
            }
        }
    }

    @AfterAll
    void close() {
        threads.shutdownNow();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                .timeout(Duration.ofSeconds(60));
    }

    private HttpResponse<String> post(String path, byte[] body) throws Exception {
        return client.send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> ask(String path, AdmissionRequest review) throws Exception {
        return post(path, Reviews.wire("admission.k8s.io/v1", review).getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"admission.k8s.io/v1", "admission.k8s.io/v1beta1"})
    void bothVersionsAreAnsweredInKind(String version) throws Exception {
        AdmissionRequest review = Reviews.create(Reviews.profile("ubuntu", "v1.0.0", "text"));

        HttpResponse<String> answer =
                post(PROFILES + "?timeout=10s", Reviews.wire(version, review).getBytes(UTF_8));

        assertThat(answer.statusCode()).isEqualTo(200);
        JsonNode json = JSON.readTree(answer.body());
        assertThat(json.path("apiVersion").asText()).isEqualTo(version);
        assertThat(json.path("kind").asText()).isEqualTo("AdmissionReview");
        assertThat(json.at("/response/uid").asText()).isEqualTo(Reviews.UID);
        assertThat(json.at("/response/allowed").asBoolean()).isTrue();
        assertThat(json.at("/response/status/code").asInt()).isEqualTo(200);
        assertThat(observed).contains("operatingsystemprofiles true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no json",
                "{}",
                "[]",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v2\",\"request\":{\"uid\":\"a\",\"operation\":\"CREATE\"}}",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"a\"}}",
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}"
            })
    void whatIsNoReviewIsTheCallersFault(String body) throws Exception {
        HttpResponse<String> answer = post(PROFILES, body.getBytes(UTF_8));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(answer.body()).at("/response/allowed").asBoolean(true))
                .isFalse();
    }

    /** Limits of the hub's watches, with content that exceeds each. */
    private static Stream<Arguments> limits() {
        Map<String, String> contents = Map.of(
                "more than 100000 JSON values", "[" + "1,".repeat(110_000) + "1]",
                "more than 1000 levels", "[".repeat(1_100) + "]".repeat(1_100),
                "larger than 4194304 B", "\"" + "x".repeat(4 << 20) + "\"",
                "a number of more than 1000 characters", "1".repeat(2_000_000));
        return Stream.of(
                        PROFILES,
                        EXTENSIONS,
                        "/operatingsystemconfig",
                        "/workercluster",
                        AdmissionPath.MACHINE_DEPLOYMENTS)
                .flatMap(path -> contents.entrySet().stream()
                        .map(content -> Arguments.of(path, content.getKey(), Named.of("content", content.getValue()))));
    }

    private static byte[] review(String object, String old) {
        return ("{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\""
                        + Reviews.UID + "\",\"operation\":\"UPDATE\",\"object\":" + object + ",\"oldObject\":" + old
                        + "}}")
                .getBytes(UTF_8);
    }

    @ParameterizedTest
    @MethodSource("limits")
    void anObjectThatTheHubCouldNotReadIsRefusedWithTheLimit(String path, String limit, String content)
            throws Exception {
        HttpResponse<String> answer = post(path, review("{\"spec\":{\"x\":" + content + "}}", "null"));

        assertThat(answer.statusCode()).isEqualTo(200);
        JsonNode response = JSON.readTree(answer.body()).path("response");
        assertThat(response.path("uid").asText()).isEqualTo(Reviews.UID);
        assertThat(response.path("allowed").asBoolean(true)).isFalse();
        assertThat(response.at("/status/message").asText()).contains("the hub could not read the object", limit);
    }

    @Test
    void anUnreadableObjectMayBeCorrectedAndDeleted() throws Exception {
        String unreadable = "{\"metadata\":{\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"},\"spec\":{\"x\":["
                + "1,".repeat(110_000) + "1]}}";

        assertThat(post(PROFILES, review(unreadable, unreadable)).body()).doesNotContain("could not read the object");
        assertThat(post(PROFILES, review("{\"spec\":{}}", unreadable)).body())
                .doesNotContain("could not read the object");
    }

    @Test
    void anythingElseThanAPostOfJsonIsRefused() throws Exception {
        assertThat(client.send(request(PROFILES).GET().build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(405);
        assertThat(client.send(
                                request(PROFILES)
                                        .header("Content-Type", "text/plain")
                                        .POST(BodyPublishers.ofString("{}"))
                                        .build(),
                                BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(415);
        assertThat(post("/elsewhere", "{}".getBytes(UTF_8)).statusCode()).isEqualTo(404);
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedAndTheServerGoesOn() throws Exception {
        byte[] large = new byte[(7 << 20) + 1];
        try {
            assertThat(post(PROFILES, large).statusCode()).isEqualTo(413);
        } catch (IOException closedMeanwhile) {
            assertThat(closedMeanwhile).isNotNull();
        }

        assertThat(ask(PROFILES, Reviews.of("DELETE", null, null)).statusCode()).isEqualTo(200);
    }

    /** A body whose end comes only after the latch. */
    private static final class Unfinished extends InputStream {
        private final CountDownLatch sent;
        private final CountDownLatch end;
        private int left;

        Unfinished(int bytes, CountDownLatch sent, CountDownLatch end) {
            this.left = bytes;
            this.sent = sent;
            this.end = end;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("read in parts");
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (left == 0) {
                sent.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                return -1;
            }
            int part = Math.min(length, left);
            left -= part;
            return part;
        }
    }

    @Test
    void manyLargeBodiesTogetherAreRefusedAndTheServerGoesOn() throws Exception {
        CountDownLatch sent = new CountDownLatch(6);
        CountDownLatch end = new CountDownLatch(1);
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int number = 0; number < 6; number++) {
            HttpRequest request = request(PROFILES)
                    .timeout(TIMEOUT)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofInputStream(() -> new Unfinished(6 << 20, sent, end)))
                    .build();
            HttpClient own =
                    HttpClient.newBuilder().sslContext(client.sslContext()).build();
            answers.add(own.sendAsync(request, BodyHandlers.ofString())
                    .handle((answer, failure) -> failure == null ? answer.statusCode() : 0));
        }

        // No buffer holds a whole body, so the server has received more than it accepts at once.
        assertThat(sent.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        end.countDown();

        assertThat(answers.stream().map(CompletableFuture::join).toList())
                .contains(503)
                .isSubsetOf(503, 400);
        assertThat(ask(PROFILES, Reviews.of("DELETE", null, null)).statusCode()).isEqualTo(200);
    }

    @Test
    void aFaultOfTheHubIsLeftToTheFailurePolicy() throws Exception {
        AdmissionRequest review = Reviews.create(Reviews.json(
                "{'metadata':{'name':'fault','namespace':'t'},'spec':{'kubeconfigSecretRef':{'name':'k'}}}"));

        HttpResponse<String> answer = ask("/workercluster", review);

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("\"allowed\":false").doesNotContain("secret in it", "Exception");
        assertThat(observed).contains("workerclusters error");
    }

    @Test
    void aWorkerClusterAsksByItsOwnPathOnly() throws Exception {
        AdmissionRequest review = Reviews.create(Reviews.machineDeployment());
        String own = AdmissionPath.of("tenant-a", "worker", "uid-a");

        HttpResponse<String> answer = ask(own, review);

        assertThat(answer.statusCode()).isEqualTo(200);
        JsonNode patch = JSON.readTree(java.util.Base64.getDecoder()
                .decode(JSON.readTree(answer.body()).at("/response/patch").asText()));
        assertThat(patch.toString()).contains("osp-of-a");
        for (String other : List.of(
                AdmissionPath.of("tenant-a", "worker", "uid-b"),
                AdmissionPath.of("tenant-b", "worker", "uid-a"),
                AdmissionPath.of("tenant-a", "other", "uid-a"),
                "/tenant-a/worker/" + AdmissionPath.MACHINE_DEPLOYMENTS,
                "/tenant-a/worker" + AdmissionPath.MACHINE_DEPLOYMENTS,
                own + "/",
                own.replace("/mutate", "/x/mutate"),
                "/tenant-a/worker/" + AdmissionPath.segment("uid-a") + PROFILES)) {
            assertThat(ask(other, review).statusCode()).as(other).isEqualTo(404);
        }
    }

    @Test
    void nothingThatIsSentMakesTheHubFail() throws Exception {
        Random random = new Random(20260301);
        List<String> paths = List.of(
                PROFILES,
                EXTENSIONS,
                "/operatingsystemconfig",
                "/workercluster",
                AdmissionPath.MACHINE_DEPLOYMENTS,
                AdmissionPath.of("tenant-a", "worker", "uid-a"));
        List<byte[]> seeds = List.of(
                wire(Reviews.create(Reviews.machineDeployment())),
                wire(Reviews.update(Reviews.machineDeployment(), Reviews.machineDeployment("gce", "rhel", "{}"))),
                wire(Reviews.update(
                        Reviews.profile("rhel", "v1.0.1", "{{ .Token }}"), Reviews.profile("rhel", "v1.0.0", "a"))),
                wire(Reviews.update(
                        Reviews.extension("t", "{{ .Token }}"), Reviews.extension("t", "-----BEGIN PRIVATE KEY-----"))),
                wire(Reviews.of("DELETE", null, Reviews.extension("t", "a"))),
                wire(Reviews.create(Reviews.json(
                        "{'metadata':{'name':'x','namespace':'t'},'spec':{'kubeconfigSecretRef':{'name':'k'}}}"))));

        for (int trial = 0; trial < TRIALS; trial++) {
            byte[] body = mutated(seeds.get(random.nextInt(seeds.size())), random);
            String path = paths.get(random.nextInt(paths.size()));
            int status = post(path + "?timeout=1s", body).statusCode();

            assertThat(status).as("%s %s", path, new String(body, UTF_8)).isIn(200, 400);
        }
    }

    private static byte[] wire(AdmissionRequest review) {
        return Reviews.wire("admission.k8s.io/v1", review).getBytes(UTF_8);
    }

    private static byte[] mutated(byte[] seed, Random random) {
        byte[] body = seed.clone();
        byte[] likely = "{}[]\":,0\\n-e".getBytes(UTF_8);
        for (int change = random.nextInt(4); change >= 0; change--) {
            int at = random.nextInt(body.length);
            switch (random.nextInt(3)) {
                case 0 -> body[at] = likely[random.nextInt(likely.length)];
                case 1 -> body[at] = (byte) random.nextInt(256);
                default -> {
                    int other = random.nextInt(body.length);
                    int length = Math.min(random.nextInt(40), body.length - Math.max(at, other));
                    System.arraycopy(seed, other, body, at, length);
                }
            }
        }
        return body;
    }
}

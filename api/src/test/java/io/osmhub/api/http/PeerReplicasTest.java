package io.osmhub.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.CallerRateLimiter.CallerRateLimit;
import io.osmhub.api.access.LocalSessionKeys;
import io.osmhub.api.access.ReplicaTickets;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.http.RunningServer.Plan;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.api.peer.PeerReplicas.PeerAnswers;
import io.osmhub.api.peer.PeerReplicas.ReplicaDirectory;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.RenderResult;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.certificate.SessionKeys;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two replicas: {@code near} receives requests, {@code far} serves the tenant {@code shop}. */
@ExtendWith(VertxExtension.class)
class PeerReplicasTest {
    private static final String PATH =
            "/api/v1/namespaces/shop/machine-deployments/kube-system/a-b/user-data?document=Bootstrap";
    private static final RenderResult NEAR = new RenderResult(null, List.of(), List.of());

    private final Vertx vertx;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final SessionKeys keys = LocalSessionKeys.create();
    private final SelfSignedCertificate certificate =
            new SelfSignedCertificate(List.of("osm-hub.osm-hub.svc", "127.0.0.1"));
    private final ConcurrentLinkedQueue<Call> received = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Operation.OperationHandler> answer = new AtomicReference<>(call ->
            Reply.ok(ApiJson.server().createObjectNode().put("far", true)).withHeader("ETag", "\"far\""));
    private final Map<String, String> others = new ConcurrentHashMap<>();
    private final Map<String, String> servedBy = new ConcurrentHashMap<>(Map.of("shop", "far"));
    private SelfSignedCertificate trusted = certificate;
    private CallerRateLimit farRate = new CallerRateLimit(60_000, 60_000);
    private RunningServer near;
    private RunningServer far;

    PeerReplicasTest(Vertx vertx) {
        this.vertx = vertx;
    }

    @BeforeEach
    void start() throws Exception {
        startAll();
    }

    private void startAll() throws Exception {
        Plan plan = plan();
        plan.rate = farRate;
        far = new RunningServer(vertx, plan.answer("getUserData", call -> {
            received.add(call);
            return Objects.requireNonNull(answer.get()).handle(call);
        }));
        others.put("far", "https://127.0.0.1:" + far.port);
        near = new RunningServer(vertx, plan().answer("getUserData", forwarding(new Replicas())::execute));
    }

    private Plan plan() {
        Plan plan = new Plan();
        plan.sessionKeys = keys;
        plan.certificate = certificate;
        plan.checksAnswers = false;
        return plan;
    }

    private PeerReplicas peers(ReplicaDirectory directory) {
        return new PeerReplicas(
                vertx,
                ApiContract.load(),
                trusted,
                new ReplicaTickets(keys, InstantSource.system()),
                directory,
                threads);
    }

    private Operation forwarding(ReplicaDirectory directory) {
        return peers(directory).forTenant(Operation.of("getUserData", call -> Reply.ok(NEAR)));
    }

    @AfterEach
    void stop() {
        near.close();
        far.close();
        threads.shutdownNow();
    }

    private final class Replicas implements ReplicaDirectory {
        @Override
        public String name() {
            return "near";
        }

        @Override
        public boolean serves(String namespace) {
            return servedBy(namespace).equals("near");
        }

        @Override
        public String servedBy(String namespace) {
            return servedBy.getOrDefault(namespace, "");
        }

        @Override
        public Map<String, String> others() {
            return others;
        }
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        return ApiJson.server().readTree(response.body());
    }

    @Test
    void theReplicaOfTheTenantAnswersWithTheCallersIdentityAndAddress() throws Exception {
        HttpResponse<String> response = near.send(near.to(PATH).header("X-Request-Id", "request-0001"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response).path("far").asBoolean()).isTrue();
        assertThat(response.headers().firstValue("ETag")).contains("\"far\"");
        assertThat(received).singleElement().satisfies(call -> {
            assertThat(call.caller().user()).isEqualTo(RunningServer.TOKEN);
            assertThat(call.path("machineDeploymentName")).isEqualTo("a-b");
            assertThat(call.query("document")).contains("Bootstrap");
            assertThat(call.requestId()).isEqualTo("request-0001");
            assertThat(call.address()).isEqualTo("127.0.0.1");
            assertThat(call.isForwarded()).isTrue();
        });
    }

    @Test
    void aSessionIsValidAtTheOtherReplica() throws Exception {
        String cookie = near.sessions
                .startSession(new Sensitive(RunningServer.TOKEN), "127.0.0.1")
                .orElseThrow()
                .cookie()
                .split(";", 2)[0];

        HttpResponse<String> response = near.send(near.anonymous(PATH).header("Cookie", cookie));

        assertThat(json(response).path("far").asBoolean()).as(response.body()).isTrue();
    }

    @Test
    void aProblemIsTheSameAsAtTheReplicaOfTheTenant() throws Exception {
        answer.set(call -> {
            throw ApiProblem.of(
                            ProblemType.RATE_LIMITED,
                            "two previews in progress",
                            List.of(RequestError.query("document", "is odd", "choose another")))
                    .retryAfter(Duration.ofSeconds(7));
        });

        HttpResponse<String> direct = far.get(PATH);
        HttpResponse<String> response = near.get(PATH);

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("Retry-After")).contains("7");
        for (String field : List.of("type", "title", "detail", "errors", "instance")) {
            assertThat(json(response).path(field)).isEqualTo(json(direct).path(field));
        }
    }

    @Test
    void aReplicaThatCannotAnswerIsReplacedByStoredState() throws Exception {
        for (ApiProblem problem : List.of(
                ApiProblem.internalError(),
                ApiProblem.unavailable("stopping", Duration.ofSeconds(1)),
                ApiProblem.unauthenticated())) {
            answer.set(call -> {
                throw problem;
            });

            assertThat(json(near.get(PATH)).path("documents").isArray()).isTrue();
        }
        int closedPort;
        try (ServerSocket unused = new ServerSocket(0)) {
            closedPort = unused.getLocalPort();
        }
        for (String url : List.of("", "not a url", "https://127.0.0.1", "https://127.0.0.1:" + closedPort)) {
            others.put("far", url);

            assertThat(json(near.get(PATH)).path("documents").isArray()).as(url).isTrue();
        }
    }

    @Test
    void aTenantThatMovedMeanwhileIsAskedOfItsNewReplica() throws Exception {
        others.put("old", "https://127.0.0.1:1");
        servedBy.put("shop", "old");
        ReplicaDirectory moving = new ReplicaDirectory() {
            private boolean asked;

            @Override
            public String name() {
                return "near";
            }

            @Override
            public boolean serves(String namespace) {
                return false;
            }

            @Override
            public String servedBy(String namespace) {
                String now = asked ? "far" : "old";
                asked = true;
                return now;
            }

            @Override
            public Map<String, String> others() {
                return others;
            }
        };
        try (RunningServer third =
                new RunningServer(vertx, plan().answer("getUserData", forwarding(moving)::execute))) {
            assertThat(json(third.get(PATH)).path("far").asBoolean()).isTrue();
        }
    }

    @Test
    void noCredentialIsSentToAServerWithoutTheHubsCertificate() throws Exception {
        stop();
        trusted = new SelfSignedCertificate(List.of("osm-hub.osm-hub.svc"));
        startAll();

        assertThat(json(near.get(PATH)).path("documents").isArray()).isTrue();
        assertThat(received).isEmpty();
    }

    @Test
    void aForwardedRequestIsNeverSentOnHoweverItsMarkLooks() throws Exception {
        String ticket = new ReplicaTickets(keys, InstantSource.system()).issue("192.0.2.1");
        for (String mark : List.of("", "forged", ticket)) {
            assertThat(json(near.send(near.to(PATH).header(ReplicaTickets.HEADER, mark)))
                            .path("documents")
                            .isArray())
                    .isTrue();
        }
        assertThat(received).isEmpty();
    }

    @Test
    void aForgedMarkChangesNeitherAddressNorLimitAndATicketDoes() throws Exception {
        stop();
        farRate = new CallerRateLimit(1, 2);
        startAll();

        assertThat(far.send(marked("forged")).statusCode()).isEqualTo(200);
        assertThat(far.send(marked("forged")).statusCode()).isEqualTo(200);
        assertThat(far.send(marked("forged")).statusCode()).isEqualTo(429);
        for (int i = 0; i < 5; i++) {
            // Counted where it was received.
            assertThat(near.get(PATH).statusCode()).isEqualTo(200);
        }
        String ticket = new ReplicaTickets(keys, InstantSource.system()).issue("192.0.2.1");
        assertThat(far.send(marked(ticket)).statusCode()).isEqualTo(200);

        assertThat(received.stream().map(Call::address).distinct()).containsExactly("127.0.0.1", "192.0.2.1");
        assertThat(received.stream().filter(call -> call.address().equals("192.0.2.1")))
                .hasSize(1);
    }

    private HttpRequest.Builder marked(String mark) {
        return far.to(PATH).header(ReplicaTickets.HEADER, mark);
    }

    @Test
    void aTicketOfOtherKeysOrOfThePastIsWorthless() {
        ReplicaTickets now = new ReplicaTickets(keys, InstantSource.system());
        ReplicaTickets old = new ReplicaTickets(
                keys, InstantSource.fixed(InstantSource.system().instant().minus(Duration.ofMinutes(6))));
        ReplicaTickets foreign = new ReplicaTickets(LocalSessionKeys.create(), InstantSource.system());

        assertThat(now.findClientAddress(now.issue("2001:db8::1"))).contains("2001:db8::1");
        assertThat(now.findClientAddress(now.issue(""))).contains("");
        assertThat(now.findClientAddress(old.issue("192.0.2.1"))).isEmpty();
        assertThat(now.findClientAddress(foreign.issue("192.0.2.1"))).isEmpty();
        assertThat(now.findClientAddress(null)).isEmpty();
    }

    @Test
    void allReplicasAreAskedAndThoseWithoutAnAnswerAreNamed() throws Exception {
        others.put("gone", "https://127.0.0.1:1");
        others.put("older", "");
        AtomicReference<PeerAnswers<JsonNode>> answers = new AtomicReference<>();
        try (RunningServer third = new RunningServer(vertx, plan().answer("getUserData", call -> {
            answers.set(peers(new Replicas())
                    .askAll("getUserData", call, JsonNode.class, Duration.ofSeconds(20), () -> ApiJson.server()
                            .createObjectNode()
                            .put("own", true)));
            return Reply.ok(NEAR);
        }))) {
            third.get(PATH);
        }

        var collected = Objects.requireNonNull(answers.get());
        assertThat(collected.answers()).hasSize(2);
        assertThat(collected.answers().getFirst().path("own").asBoolean()).isTrue();
        assertThat(collected.answers().getLast().path("far").asBoolean()).isTrue();
        assertThat(collected.unanswered()).containsExactly("gone", "older");
    }
}

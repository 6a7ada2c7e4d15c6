package io.osmhub.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.api.access.CallerRateLimiter;
import io.osmhub.api.schema.SearchResult;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class HubHttpServerTest {
    private final Vertx vertx;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SHOP = "/api/v1/namespaces/cluster-a/worker-clusters/shop";

    private final RunningServer.Plan plan = new RunningServer.Plan()
            .answer("search", call -> Reply.ok(new SearchResult(List.of())))
            .answer("getSummary", call -> {
                throw new IllegalStateException("secret hunter2");
            });
    private RunningServer server;

    HubHttpServerTest(Vertx vertx) throws Exception {
        this.vertx = vertx;
        server = new RunningServer(vertx, plan);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void answersWithTheHeadersThatEveryAnswerHas() throws Exception {
        HttpResponse<String> answer = server.get("/api/v1/search?q=shop");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(answer.headers().map())
                .containsKeys(
                        "etag", "x-request-id", "ratelimit", "ratelimit-policy", "content-security-policy", "vary");
        assertThat(answer.headers().firstValue("cache-control")).contains("no-store");
        assertThat(answer.headers().firstValue("x-content-type-options")).contains("nosniff");
        assertThat(server.send(server.to("/api/v1/search?q=shop").header("X-Request-Id", "trace-0001"))
                        .headers()
                        .firstValue("x-request-id"))
                .contains("trace-0001");
        assertThat(server.send(server.to("/api/v1/search?q=shop").header("X-Request-Id", "a b{}"))
                        .headers()
                        .firstValue("x-request-id")
                        .orElseThrow())
                .matches("[0-9a-f]{12}");
    }

    @Test
    void whoIsNotSignedInLearnsNothing() throws Exception {
        for (HttpRequest.Builder request : List.of(
                server.anonymous("/api/v1/search?q=shop"),
                server.anonymous("/api/v1/search?q=shop").header("Authorization", "Bearer nobody"),
                server.anonymous("/api/v1/search?q=shop").header("Authorization", "Basic YTpi"),
                server.anonymous("/api/v1/search?nonsense=1").header("Cookie", "__Host-osmhub=guess"),
                server.anonymous(SHOP).header("Authorization", "Bearer "))) {
            HttpResponse<String> answer = server.send(request);
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("www-authenticate")).isPresent();
            assertThat(problem(answer).path("type").asText()).isEqualTo("urn:osmhub:problem:unauthenticated");
        }
    }

    @Test
    void everyKindOfWrongRequestIsAProblemOfItsOwnStatus() throws Exception {
        assertProblem(server.get("/api/v1/nothing"), 404);
        assertProblem(server.get("/api/v1/search"), 400);
        assertProblem(server.get("/api/v1/search?q=%ff"), 400);
        assertProblem(server.get("/api/v1/namespaces/a%2Fb/osps/a"), 400);
        assertProblem(server.send(server.to("/api/v1/search?q=a").header("Accept", "text/csv")), 406);
        assertProblem(server.send(server.to(SHOP).method("PUT", BodyPublishers.ofString("{}"))), 415);
        assertProblem(
                server.send(server.to(SHOP)
                        .header("Content-Type", "text/yaml")
                        .method("PUT", BodyPublishers.ofString("a: b"))),
                415);
        assertProblem(json("PUT", "{"), 400);
        assertProblem(json("PUT", "{\"nonsense\":1}"), 400);
        assertProblem(json("PUT", "[".repeat(50_000)), 400);
        assertProblem(json("PUT", "{\"kubeconfig\":\"" + "x".repeat(3_000_000) + "\"}"), 413);

        HttpResponse<String> notAllowed = server.send(server.to(SHOP).method("POST", BodyPublishers.noBody()));
        assertProblem(notAllowed, 405);
        assertThat(notAllowed.headers().firstValue("allow")).contains("GET, PUT, PATCH, DELETE, HEAD, OPTIONS");
    }

    @Test
    void aFaultIsToldByItsIdAndNothingElse() throws Exception {
        HttpResponse<String> answer = server.get("/api/v1/summary");

        assertProblem(answer, 500);
        assertThat(answer.body()).doesNotContain("hunter2", "IllegalState", "at io.osmhub");
        assertThat(problem(answer).path("requestId").asText())
                .isEqualTo(answer.headers().firstValue("x-request-id").orElseThrow());
    }

    @Test
    void anAnswerThatBreaksTheContractIsNotSent() throws Exception {
        server.close();
        plan.answer("search", call -> Reply.ok(Map.of("unknown", 1)));
        server = new RunningServer(vertx, plan);

        assertThat(server.get("/api/v1/search?q=a").statusCode()).isEqualTo(500);
    }

    @Test
    void headAndOptionsAnswerWithoutABody() throws Exception {
        HttpResponse<String> head =
                server.send(server.to("/api/v1/search?q=a").method("HEAD", BodyPublishers.noBody()));
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValueAsLong("content-length").orElse(0)).isGreaterThan(5);
        HttpResponse<String> options = server.send(server.anonymous(SHOP).method("OPTIONS", BodyPublishers.noBody()));
        assertThat(options.statusCode()).isEqualTo(204);
        assertThat(options.headers().firstValue("allow")).isPresent();
    }

    @Test
    void aBodyThatTheClientHasIsNotSentAgain() throws Exception {
        server.close();
        plan.answer("listOsps", call -> Reply.ok(Map.of("items", List.of())));
        server = new RunningServer(vertx, plan);
        String etag = server.get("/api/v1/osps").headers().firstValue("etag").orElseThrow();

        HttpResponse<String> again = server.send(server.to("/api/v1/osps").header("If-None-Match", "\"x\", W/" + etag));

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(again.headers().firstValue("etag")).contains(etag);
    }

    @Test
    void anAnswerThatDiffersOnlyInWhatIsNotItsIdentityIsNotSentAgain() throws Exception {
        server.close();
        AtomicInteger time = new AtomicInteger();
        plan.answer("listOsps", call -> Reply.ok(Map.of("items", List.of(), "continue", "at" + time.incrementAndGet()))
                .withIdentity(Map.of("items", List.of())));
        server = new RunningServer(vertx, plan);
        String etag = server.get("/api/v1/osps").headers().firstValue("etag").orElseThrow();

        HttpResponse<String> again = server.send(server.to("/api/v1/osps").header("If-None-Match", etag));

        assertThat(etag).startsWith("W/");
        assertThat(again.statusCode()).isEqualTo(304);
    }

    @Test
    void longAnswersArePackedForWhoTakesIt() throws Exception {
        server.close();
        String name = "a".repeat(200);
        plan.answer("listOsps", call -> Reply.ok(Map.of("items", List.of(), "continue", name.repeat(8))));
        server = new RunningServer(vertx, plan);

        HttpResponse<byte[]> packed = server.client.send(
                server.to("/api/v1/osps").header("Accept-Encoding", "br, gzip").build(), BodyHandlers.ofByteArray());

        assertThat(packed.headers().firstValue("content-encoding")).contains("gzip");
        assertThat(packed.body()).hasSizeLessThan(200);
        JsonNode list = JSON.readTree(new GZIPInputStream(new ByteArrayInputStream(packed.body())));
        assertThat(list.path("continue").asText()).hasSize(1_600);
        assertThat(server.send(server.to("/api/v1/osps").header("Accept-Encoding", "gzip;q=0"))
                        .headers()
                        .firstValue("content-encoding"))
                .isEmpty();
    }

    @Test
    void oneCallerTooManyRequestsDoNotHarmAnother() throws Exception {
        server.close();
        plan.rate = new CallerRateLimiter.CallerRateLimit(60, 3);
        server = new RunningServer(vertx, plan);
        for (int i = 0; i < 3; i++) {
            assertThat(server.get("/api/v1/search?q=a").statusCode()).isEqualTo(200);
        }

        HttpResponse<String> refused = server.get("/api/v1/search?q=a");

        assertProblem(refused, 429);
        assertThat(refused.headers().firstValueAsLong("retry-after")).hasValue(1);
        assertThat(refused.headers().firstValue("ratelimit-policy")).contains("\"caller\";q=60;w=60");
        assertThat(server.send(server.anonymous("/api/v1/search?q=a").header("Authorization", "Bearer bob"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aSessionReadsByItselfAndWritesWithTheHeaderOnly() throws Exception {
        HttpResponse<String> signedIn = server.send(server.anonymous("/api/v1/session")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"token\":\"ann\"}")));
        assertThat(signedIn.statusCode()).isEqualTo(200);
        assertThat(JSON.readTree(signedIn.body()).path("sessionEndsAt").asText())
                .isNotEmpty();
        String cookie =
                signedIn.headers().firstValue("set-cookie").orElseThrow().split(";", 2)[0];

        assertThat(server.send(server.anonymous("/api/v1/me").header("Cookie", "other=1; " + cookie))
                        .statusCode())
                .isEqualTo(200);
        assertProblem(
                server.send(server.anonymous(SHOP).header("Cookie", cookie).DELETE()), 403);
        assertProblem(
                server.send(server.anonymous(SHOP)
                        .header("Cookie", cookie)
                        .header("X-OSMHub-CSRF", "1")
                        .header("Origin", "https://evil.example")
                        .DELETE()),
                403);
        assertProblem(
                server.send(server.anonymous(SHOP)
                        .header("Cookie", cookie)
                        .header("X-OSMHub-CSRF", "1")
                        .DELETE()),
                404);
        HttpResponse<String> signedOut = server.send(server.anonymous("/api/v1/session")
                .header("Cookie", cookie)
                .header("X-OSMHub-CSRF", "1")
                .DELETE());
        assertThat(signedOut.statusCode()).isEqualTo(204);
        assertThat(server.send(server.anonymous("/api/v1/me").header("Cookie", cookie))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void aSessionIsValidOnAnotherReplicaWithTheSameKeys() throws Exception {
        String cookie =
                signIn("ann").headers().firstValue("set-cookie").orElseThrow().split(";", 2)[0];
        RunningServer.Plan samePlan = new RunningServer.Plan();
        samePlan.sessionKeys = plan.sessionKeys;

        try (RunningServer replica = new RunningServer(vertx, samePlan);
                RunningServer foreign = new RunningServer(vertx, new RunningServer.Plan())) {
            assertThat(replica.send(replica.anonymous("/api/v1/me").header("Cookie", cookie))
                            .body())
                    .contains("\"user\":\"ann\"");
            assertThat(foreign.send(foreign.anonymous("/api/v1/me").header("Cookie", cookie))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void allRefusedSignInsLookAlike() throws Exception {
        HttpResponse<String> unknown = signIn("nobody");
        HttpResponse<String> noToken = signIn("ä b");

        assertProblem(unknown, 401);
        assertProblem(noToken, 401);
        assertThat(problem(unknown).path("detail")).isEqualTo(problem(noToken).path("detail"));
        assertThat(unknown.headers().firstValue("set-cookie")).isEmpty();
    }

    private HttpResponse<String> signIn(String token) throws Exception {
        return server.send(server.anonymous("/api/v1/session")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"token\":\"" + token + "\"}")));
    }

    private HttpResponse<String> json(String method, String body) throws Exception {
        return server.send(server.to(SHOP)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body)));
    }

    private static void assertProblem(HttpResponse<String> answer, int status) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(problem(answer).path("status").asInt()).isEqualTo(status);
        assertThat(problem(answer).path("type").asText()).startsWith("urn:osmhub:problem:");
    }

    private static JsonNode problem(HttpResponse<String> answer) throws Exception {
        return JSON.readTree(answer.body());
    }
}

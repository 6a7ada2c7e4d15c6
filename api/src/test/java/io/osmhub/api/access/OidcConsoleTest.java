package io.osmhub.api.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.HubApi;
import io.osmhub.api.access.OidcSignIn.OidcOptions;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.SelfSignedCertificate;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.tenancy.certificate.SessionKeys;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sign-in with an OIDC provider through the whole API, over HTTPS. */
@ExtendWith(VertxExtension.class)
class OidcConsoleTest {
    private static final Set<String> OF_CALLERS = Set.of("getMe", "signIn", "signOut");

    private final ReviewingCluster cluster = new ReviewingCluster();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final FakeIssuer issuer;
    private final HubApi api;
    private final HttpClient browser;
    private final String hub;

    OidcConsoleTest(Vertx vertx) throws Exception {
        issuer = new FakeIssuer(vertx, Instant.now());
        issuer.onToken = token -> cluster.holders.put(token, "oidc:ann");
        // As a kube-apiserver answers for an ID token: with its own audience.
        cluster.audience = "https://kubernetes.default.svc";
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        SelfSignedCertificate certificate = new SelfSignedCertificate(List.of("localhost"));
        SessionKeys keys = LocalSessionKeys.create();
        api = new HubApi(
                new HubApi.ApiDependencies(
                        vertx,
                        cluster.api(),
                        List::of,
                        Set::of,
                        access -> ApiContract.load().operations().stream()
                                .filter(operation -> !OF_CALLERS.contains(operation.id()))
                                .map(operation -> Operation.of(operation.id(), call -> {
                                    throw ApiProblem.notFound("object");
                                }))
                                .toList(),
                        certificate,
                        HttpObserver.NONE,
                        ReviewMetrics.NONE,
                        keys,
                        new PeerReplicas(
                                vertx,
                                ApiContract.load(),
                                certificate,
                                new ReplicaTickets(keys, InstantSource.system()),
                                () -> "osm-hub-0",
                                threads),
                        List.of(),
                        threads),
                new HubApi.ApiOptions(
                        List.of("osm-hub"),
                        Duration.ZERO,
                        Duration.ofHours(8),
                        new CallerRateLimiter.CallerRateLimit(60_000, 60_000),
                        1 << 20,
                        true,
                        false,
                        "osm-profiles",
                        new OidcOptions(
                                issuer.issuer,
                                FakeIssuer.CLIENT,
                                Optional::empty,
                                URI.create("https://localhost:" + port + OidcSignIn.CALLBACK),
                                List.of("openid", "email"),
                                issuer.trust())));
        hub = "https://localhost:"
                + api.listen("localhost", port)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS);
        browser = HttpClient.newBuilder().sslContext(certificate.trusting()).build();
    }

    @AfterEach
    void stop() {
        browser.shutdownNow();
        api.close().toCompletionStage().toCompletableFuture().join();
        issuer.close();
        threads.shutdownNow();
    }

    private HttpResponse<String> get(String path, String cookie) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(hub + path)).timeout(Duration.ofSeconds(30));
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie);
        }
        return browser.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static boolean endsFlow(HttpResponse<String> response) {
        return response.headers().allValues("set-cookie").contains(OidcSignIn.endedCookie());
    }

    private static String cookie(HttpResponse<String> response) {
        return response.headers().firstValue("set-cookie").orElseThrow().split(";", 2)[0];
    }

    private HttpResponse<String> callback(Map<String, String> parameters, String cookie) throws Exception {
        return get(
                OidcSignIn.CALLBACK + "?"
                        + parameters.entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), UTF_8))
                                .collect(Collectors.joining("&")),
                cookie);
    }

    private HttpResponse<String> begin(String back) throws Exception {
        return get("/signin/oidc?back=" + URLEncoder.encode(back, UTF_8), "");
    }

    private static URI location(HttpResponse<String> response) {
        return URI.create(response.headers().firstValue("location").orElseThrow());
    }

    @Test
    void theSignInPageOffersTheProvider() throws Exception {
        assertThat(get("/signin?back=%2Fproblems", "").body())
                .contains("href=\"/signin/oidc?back=%2Fproblems\"", "Sign in with <bdi>localhost</bdi>");
    }

    @Test
    void aUserSignsInWithTheProviderAndIsTheUserOfTheManagementCluster() throws Exception {
        HttpResponse<String> begun = begin("/problems?reason=A");
        assertThat(begun.statusCode()).isEqualTo(303);

        HttpResponse<String> done = callback(issuer.authorize(location(begun)), cookie(begun));

        assertThat(done.statusCode()).isEqualTo(200);
        assertThat(done.body())
                .contains("http-equiv=\"refresh\" content=\"0;url=/problems?reason")
                .doesNotContain(issuer.tokens.getFirst());
        assertThat(cookie(done)).startsWith("__Host-osmhub=");
        assertThat(endsFlow(done)).isTrue();
        assertThat(get("/api/v1/me", cookie(done)).body()).contains("\"user\":\"oidc:ann\"");
        assertThat(cluster.specs.getFirst().path("token").asText()).isEqualTo(issuer.tokens.getFirst());
        assertThat(cluster.specs.getFirst().has("audiences")).isFalse();
    }

    @Test
    void anIdTokenIsAlsoAcceptedAsABearerTokenAndOthersNeedTheAudienceOfTheHub() throws Exception {
        HttpResponse<String> begun = begin("/");
        callback(issuer.authorize(location(begun)), cookie(begun));
        cluster.holders.put("service-account-token", "system:serviceaccount:a:b");

        assertThat(bearer(issuer.tokens.getFirst())).isEqualTo(200);
        assertThat(bearer("service-account-token")).isEqualTo(401);
        assertThat(cluster.specs.getLast().path("audiences")).hasToString("[\"osm-hub\"]");
    }

    private int bearer(String token) throws Exception {
        return browser.send(
                        HttpRequest.newBuilder(URI.create(hub + "/api/v1/me"))
                                .header("Authorization", "Bearer " + token)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void anIdTokenThatTheManagementClusterRejectsIsNoSession() throws Exception {
        issuer.onToken = token -> {};
        HttpResponse<String> begun = begin("/");

        HttpResponse<String> done = callback(issuer.authorize(location(begun)), cookie(begun));

        assertThat(done.statusCode()).isEqualTo(401);
        assertThat(done.body()).contains("does not accept ID tokens of localhost");
        assertThat(done.headers().allValues("set-cookie")).containsExactly(OidcSignIn.endedCookie());
    }

    @Test
    void aFlowOfAnotherBrowserIsNoSession() throws Exception {
        HttpResponse<String> attackers = begin("/");
        HttpResponse<String> victims = begin("/");
        Map<String, String> response = issuer.authorize(location(attackers));

        HttpResponse<String> rejected = callback(response, cookie(victims));
        assertThat(rejected.statusCode()).isEqualTo(400);
        assertThat(endsFlow(rejected)).as("the victim's own sign-in").isFalse();
        assertThat(callback(response, "").statusCode()).isEqualTo(400);
        assertThat(issuer.tokens).isEmpty();
    }

    @Test
    void aUserWhoCancelsSeesTheSignInPage() throws Exception {
        HttpResponse<String> begun = begin("/");
        Map<String, String> response = new HashMap<>(issuer.authorize(location(begun)));
        response.remove("code");
        response.put("error", "access_denied");
        response.put("error_description", "<img src=x>");

        HttpResponse<String> done = callback(response, cookie(begun));

        assertThat(done.statusCode()).isEqualTo(401);
        assertThat(endsFlow(done)).isTrue();
        assertThat(done.body()).contains("cancelled or denied", "id=\"token\"").doesNotContain("<img src=x>");
    }

    @Test
    void afterSignInTheConsoleGoesOnlyToItsOwnPages() throws Exception {
        for (String back :
                List.of("//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)")) {
            HttpResponse<String> begun = begin(back);

            HttpResponse<String> done = callback(issuer.authorize(location(begun)), cookie(begun));

            assertThat(done.body()).contains("content=\"0;url=/\"").doesNotContain("evil", "javascript");
        }
    }

    @Test
    void tooManySignInsShowTheSignInPageAndWhenToRetry() throws Exception {
        HttpResponse<String> last;
        do { // the limit refills in real time
            last = callback(Map.of("code", "guessed"), "");
        } while (last.statusCode() == 400);

        assertThat(last.statusCode()).isEqualTo(429);
        assertThat(last.headers().firstValue("retry-after")).isPresent();
        assertThat(last.body()).contains("id=\"token\"");
    }

    @Test
    void aProviderThatDoesNotRespondLeavesTheSignInWithATokenUsable() throws Exception {
        issuer.close();

        HttpResponse<String> begun = begin("/problems");

        assertThat(begun.statusCode()).isEqualTo(502);
        assertThat(begun.body()).contains("localhost cannot be reached", "id=\"token\"");
    }
}

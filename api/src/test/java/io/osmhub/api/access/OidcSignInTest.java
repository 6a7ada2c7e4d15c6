package io.osmhub.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.osmhub.api.access.OidcSignIn.CompletedFlow;
import io.osmhub.api.access.OidcSignIn.OidcFailure;
import io.osmhub.api.access.OidcSignIn.OidcOptions;
import io.osmhub.api.access.OidcSignIn.StartedFlow;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.certificate.SessionKeys;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class OidcSignInTest {
    private static final String ADDRESS = "10.0.0.1";
    private static final String HUB = "hub.example:8443";
    private static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(BEGIN);
    private final VirtualTime time = new VirtualTime();
    private SessionKeys keys = LocalSessionKeys.create();
    private final FakeIssuer issuer;
    private OidcSignIn.ClientSecret secret = Optional::empty;

    OidcSignInTest(Vertx vertx) throws Exception {
        issuer = new FakeIssuer(vertx, BEGIN);
    }

    @AfterEach
    void stop() {
        issuer.close();
    }

    private OidcSignIn signIn() {
        return signIn(issuer.issuer, issuer.trust());
    }

    private OidcSignIn signIn(URI address, SSLContext trust) {
        return new OidcSignIn(
                new OidcOptions(
                        address,
                        FakeIssuer.CLIENT,
                        () -> secret.read(),
                        URI.create("https://" + HUB + OidcSignIn.CALLBACK),
                        List.of("openid", "email"),
                        trust),
                keys,
                now::get);
    }

    private static Optional<String> cookie(StartedFlow flow) {
        return Optional.of(flow.cookie().split(";", 2)[0].split("=", 2)[1]);
    }

    private static OidcFailure failure(OidcSignIn signIn, Map<String, String> response, Optional<String> cookie)
            throws ApiProblem {
        try {
            signIn.complete(response, cookie, ADDRESS);
        } catch (OidcFailure failure) {
            return failure;
        }
        throw new AssertionError("signed in");
    }

    @Test
    void aUserWhoSignsInAtTheProviderHasAnIdTokenForTheHub() throws Exception {
        OidcSignIn signIn = signIn();

        StartedFlow flow = signIn.start(HUB, "/problems?reason=A", ADDRESS);
        CompletedFlow done = signIn.complete(issuer.authorize(flow.location()), cookie(flow), ADDRESS);

        assertThat(issuer.tokens).containsExactly(done.idToken().reveal());
        assertThat(done.back()).isEqualTo("/problems?reason=A");
        assertThat(flow.location().toString()).startsWith(issuer.issuer + "/authorize?tenant=1&response_type=code&");
        assertThat(FakeIssuer.parameters(flow.location().getRawQuery()))
                .containsEntry("client_id", FakeIssuer.CLIENT)
                .containsEntry("scope", "openid email")
                .containsEntry("redirect_uri", "https://hub.example:8443/signin/oidc/callback")
                .containsEntry("code_challenge_method", "S256");
        assertThat(flow.cookie())
                .startsWith("__Host-osmhub-oidc=")
                .endsWith("; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Lax");
    }

    @Test
    void aFlowMayEndOnAnotherReplica() throws Exception {
        StartedFlow flow = signIn().start(HUB, "/", ADDRESS);

        assertThat(signIn().complete(issuer.authorize(flow.location()), cookie(flow), ADDRESS)
                        .back())
                .isEqualTo("/");
    }

    @Test
    void aPageAddressThatDoesNotFitIntoTheCookieIsLeftOut() throws Exception {
        OidcSignIn signIn = signIn();

        StartedFlow flow = signIn.start(HUB, "/" + "x".repeat(2_000), ADDRESS);
        StartedFlow tooLong = signIn.start(HUB, "/" + "x".repeat(5_000), ADDRESS);

        assertThat(signIn.complete(issuer.authorize(flow.location()), cookie(flow), ADDRESS)
                        .back())
                .hasSize(2_001);
        assertThat(tooLong.cookie()).hasSizeLessThan(4_096);
        assertThat(signIn.complete(issuer.authorize(tooLong.location()), cookie(tooLong), ADDRESS)
                        .back())
                .isEqualTo("/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example:8443", "hub.example", "hub.example:8443.evil.example", "hub.example:443", ""})
    void aHostOtherThanTheConfiguredOneIsRefusedAndNeverSentToTheProvider(String host) {
        OidcFailure refused = catchThrowableOfType(OidcFailure.class, () -> signIn().start(host, "/", ADDRESS));

        assertThat(refused.status()).isEqualTo(421);
        assertThat(refused.message()).contains("only possible at https://" + HUB + "/signin", "api.oidc.redirectURL");
        assertThat(refused.endsFlow()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "https://hub.example/signin/oidc/callback, hub.example:443",
        "https://hub.example:443/signin/oidc/callback, hub.example",
        "https://Hub.example/signin/oidc/callback, HUB.EXAMPLE",
        "'https://[2001:db8::1]:8443/signin/oidc/callback', '[2001:db8::1]:8443'"
    })
    void theRedirectUriIsTheConfiguredOneHoweverTheHostIsWritten(URI redirect, String host) throws Exception {
        OidcSignIn signIn = new OidcSignIn(
                new OidcOptions(
                        issuer.issuer, FakeIssuer.CLIENT, Optional::empty, redirect, List.of("openid"), issuer.trust()),
                keys,
                now::get);

        StartedFlow flow = signIn.start(host, "/", ADDRESS);

        assertThat(FakeIssuer.parameters(flow.location().getRawQuery()))
                .containsEntry("redirect_uri", redirect.toString());
    }

    @Test
    void anAddressThatStartsSignInsAgainAndAgainIsLimitedAndOthersAreNot() throws Exception {
        OidcSignIn signIn = signIn();

        ApiProblem tooMany;
        do { // the limit refills in real time
            tooMany = catchThrowableOfType(ApiProblem.class, () -> signIn.start(HUB, "/", ADDRESS));
        } while (tooMany == null);
        ApiProblem callback;
        do {
            callback = catchThrowableOfType(
                    ApiProblem.class, () -> failure(signIn, Map.of("code", "guessed"), Optional.empty()));
        } while (callback == null);

        assertThat(tooMany.status()).isEqualTo(429);
        assertThat(tooMany.retryAfter()).isPositive();
        assertThat(callback.status()).isEqualTo(429);
        assertThat(signIn.start(HUB, "/", "10.0.0.2").cookie()).isNotEmpty();
    }

    @Test
    void aFlowOfAKeyThatIsBeingLoadedMayBeRepeated() throws Exception {
        StartedFlow flow = signIn().start(HUB, "/", ADDRESS);
        keys = LocalSessionKeys.unstarted(new SimulatedServer(time), time);
        OidcSignIn starting = signIn();

        ApiProblem begun = catchThrowableOfType(ApiProblem.class, () -> starting.start(HUB, "/", ADDRESS));
        ApiProblem completed = catchThrowableOfType(
                ApiProblem.class, () -> starting.complete(issuer.authorize(flow.location()), cookie(flow), ADDRESS));

        assertThat(begun.status()).isEqualTo(503);
        assertThat(begun.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(completed.status()).isEqualTo(503);
        assertThat(issuer.requests).noneMatch(request -> request.startsWith("POST"));
    }

    @Test
    void everyFlowHasItsOwnStateNonceAndVerifier() throws Exception {
        OidcSignIn signIn = signIn();
        Map<String, String> one =
                FakeIssuer.parameters(signIn.start(HUB, "/", ADDRESS).location().getRawQuery());
        Map<String, String> other =
                FakeIssuer.parameters(signIn.start(HUB, "/", ADDRESS).location().getRawQuery());

        for (String parameter : List.of("state", "nonce", "code_challenge")) {
            assertThat(one.get(parameter)).hasSize(43).isNotEqualTo(other.get(parameter));
        }
    }

    @Test
    void aResponseWithAnotherStateIsRejectedBeforeItsCodeIsUsed() throws Exception {
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);
        StartedFlow attackers = signIn.start(HUB, "/", ADDRESS);
        Map<String, String> response = issuer.authorize(attackers.location());

        OidcFailure failure = failure(signIn, response, cookie(flow));

        assertThat(failure.message()).contains("was not started in this browser");
        assertThat(failure.status()).isEqualTo(400);
        assertThat(failure(signIn, response, Optional.empty()).message()).contains("was not started in this browser");
        assertThat(failure(signIn, response, Optional.of("forged")).message())
                .contains("was not started in this browser");
        assertThat(issuer.requests).noneMatch(request -> request.startsWith("POST"));
    }

    @Test
    void aSessionCookieIsNotAFlow() throws Exception {
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);
        String sealedForSessions = new CookieSealer(keys, "osmhub console session").seal(new byte[] {'{', '}'});

        assertThat(failure(signIn, issuer.authorize(flow.location()), Optional.of(sealedForSessions))
                        .message())
                .contains("was not started in this browser");
    }

    @Test
    void aFlowEndsAfterTenMinutes() throws Exception {
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);
        Map<String, String> response = issuer.authorize(flow.location());

        now.set(BEGIN.plus(Duration.ofMinutes(10)));

        assertThat(failure(signIn, response, cookie(flow)).message()).contains("more than 10 minutes ago");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nonce | another            | belongs to another sign-in
            iss   | https://other      | is for another issuer or client
            aud   | another-client     | is for another issuer or client
            exp   | 1                  | has already expired
            """)
    void anIdTokenThatDoesNotBelongToTheFlowIsRejected(String claim, String value, String message) throws Exception {
        issuer.claims = claims -> {
            if (claim.equals("exp")) {
                claims.put(claim, Long.parseLong(value));
            } else {
                claims.put(claim, value);
            }
        };
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);

        OidcFailure failure = failure(signIn, issuer.authorize(flow.location()), cookie(flow));

        assertThat(failure.message()).contains(message).doesNotContain(issuer.tokens.getFirst());
    }

    @Test
    void anIdTokenWithSeveralAudiencesIsAccepted() throws Exception {
        issuer.claims = claims -> claims.putArray("aud").add("other").add(FakeIssuer.CLIENT);
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);

        assertThat(signIn.complete(issuer.authorize(flow.location()), cookie(flow), ADDRESS)
                        .idToken()
                        .reveal())
                .isEqualTo(issuer.tokens.getFirst());
    }

    @Test
    void anExpiredOrUsedCodeIsRejected() throws Exception {
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);
        Map<String, String> response = issuer.authorize(flow.location());
        issuer.expireCodes();

        OidcFailure failure = failure(signIn, response, cookie(flow));

        assertThat(failure.message())
                .contains("it has expired or was used before")
                .doesNotContain("<b>");
        assertThat(failure.status()).isEqualTo(401);
    }

    @Test
    void aUserWhoCancelsIsNotSignedIn() throws Exception {
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);
        Map<String, String> response = new HashMap<>(issuer.authorize(flow.location()));
        response.remove("code");
        response.put("error", "access_denied");

        OidcFailure failure = failure(signIn, response, cookie(flow));

        assertThat(failure.message()).isEqualTo("localhost did not sign you in: cancelled or denied.");
        assertThat(failure.status()).isEqualTo(401);
    }

    @ParameterizedTest
    @CsvSource({"invalid_scope, (invalid_scope). Check api.oidc.scopes", "<script>, (unknown error). Sign in again"})
    void anErrorOfTheProviderIsShownByItsCodeOnly(String error, String message) throws Exception {
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);
        Map<String, String> response = new HashMap<>(issuer.authorize(flow.location()));
        response.put("error", error);

        assertThat(failure(signIn, response, cookie(flow)).message())
                .contains(message)
                .doesNotContain("<script>");
    }

    @Test
    void aResponseOfAnotherProviderIsRejected() throws Exception {
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);
        Map<String, String> response = new HashMap<>(issuer.authorize(flow.location()));
        response.put("iss", "https://evil.example");

        assertThat(failure(signIn, response, cookie(flow)).message()).contains("from another identity provider");
        assertThat(issuer.requests).noneMatch(request -> request.startsWith("POST"));
    }

    @ParameterizedTest
    @CsvSource({
        "issuer, https://evil.example, is for another issuer",
        "token_endpoint, https://evil.example/token, on another host",
        "token_endpoint, http://localhost/token, has no valid token_endpoint",
        "authorization_endpoint, javascript:alert(1), has no valid authorization_endpoint",
        "authorization_endpoint, '', has no valid authorization_endpoint"
    })
    void aDiscoveryDocumentThatDoesNotFitIsRejected(String field, String value, String message) {
        issuer.discovery = document -> document.put(field, value);

        OidcFailure failure = catchThrowableOfType(OidcFailure.class, () -> signIn().start(HUB, "/", ADDRESS));

        assertThat(failure.message()).contains(message);
        assertThat(failure.status()).isEqualTo(502);
    }

    @Test
    void aProviderThatIsNotTrustedGetsNothing() throws Exception {
        OidcSignIn distrusting = signIn(issuer.issuer, SSLContext.getDefault());

        OidcFailure failure = catchThrowableOfType(OidcFailure.class, () -> distrusting.start(HUB, "/", ADDRESS));

        assertThat(failure.message()).contains("cannot be reached or is not trusted");
        assertThat(issuer.requests).isEmpty();
    }

    @Test
    void aProviderIsDiscoveredOnceAnHour() throws Exception {
        OidcSignIn signIn = signIn();
        signIn.start(HUB, "/", ADDRESS);
        signIn.start(HUB, "/", ADDRESS);
        assertThat(issuer.requests).hasSize(1);

        now.set(BEGIN.plus(Duration.ofHours(1)));
        signIn.start(HUB, "/", ADDRESS);

        assertThat(issuer.requests).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"client_secret_basic", "client_secret_post"})
    void aConfidentialClientSendsItsSecretAsTheProviderAsks(String method) throws Exception {
        issuer.secret = "s3cret";
        issuer.discovery = document ->
                document.putArray("token_endpoint_auth_methods_supported").add(method);
        secret = () -> Optional.of(new Sensitive("s3cret"));
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);

        assertThat(signIn.complete(issuer.authorize(flow.location()), cookie(flow), ADDRESS)
                        .idToken()
                        .reveal())
                .isEqualTo(issuer.tokens.getFirst());
    }

    @Test
    void aWrongOrUnreadableSecretIsReportedWithTheKeyToCheck() throws Exception {
        issuer.secret = "s3cret";
        secret = () -> Optional.of(new Sensitive("wr0ng"));
        OidcSignIn signIn = signIn();
        StartedFlow flow = signIn.start(HUB, "/", ADDRESS);

        assertThat(failure(signIn, issuer.authorize(flow.location()), cookie(flow))
                        .message())
                .contains("(401 invalid_client)", "Check api.oidc.clientId")
                .doesNotContain("wr0ng");

        secret = () -> {
            throw new IOException("no such file");
        };
        assertThat(failure(signIn, issuer.authorize(flow.location()), cookie(flow))
                        .message())
                .contains("Check api.oidc.clientSecretFile");
    }
}

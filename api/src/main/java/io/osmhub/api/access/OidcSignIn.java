package io.osmhub.api.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.certificate.SessionKeys;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sign-in with an OpenID Connect provider: the authorization code flow with PKCE, state and nonce. It only obtains an ID token; the
 * management cluster authenticates it like any other token. The flow is kept in a sealed cookie of the browser, so it may begin and end
 * on different replicas. No other token is requested or kept. Thread-safe.
 *
 * <pre>
 *   browser          hub                               provider
 *     │ /signin/oidc  │                                   │
 *     ├──────────────►│ discovery (cached)                │
 *     │◄──────────────┤ redirect, cookie with state, nonce, verifier
 *     ├──────────────────────────────────────────────────►│ user signs in
 *     │◄──────────────────────────────────────────────────┤ redirect with code, state
 *     ├──────────────►│ state = cookie?                   │
 *     │               ├── code, verifier ────────────────►│
 *     │               │◄── ID token ──────────────────────┤ issuer, audience, nonce, end?
 * </pre>
 */
public final class OidcSignIn {
    /** Path of the page to which the provider redirects. */
    public static final String CALLBACK = "/signin/oidc/callback";
    /** Name of the cookie of a flow. */
    public static final String COOKIE = "__Host-osmhub-oidc";

    private static final Logger LOG = LoggerFactory.getLogger(OidcSignIn.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LIFE = Duration.ofMinutes(10);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration DISCOVERED = Duration.ofHours(1);
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);
    private static final int LARGEST_RESPONSE = 1 << 20;
    private static final int CONCURRENT = 32;
    private static final int MISDIRECTED = 421;
    private static final String HTTPS_PORT = ":443";
    /** PKCE requires 43 characters. */
    private static final int RANDOM_BYTES = 32;

    private final OidcOptions options;
    private final CookieSealer cookieSealer;
    private final InstantSource clock;
    private final HttpClient httpClient;
    private final SecureRandom random = new SecureRandom();
    private final Semaphore places = new Semaphore(CONCURRENT);
    private final CallerRateLimiter attemptLimiter =
            new CallerRateLimiter(new CallerRateLimiter.CallerRateLimit(60, 100), System::nanoTime);
    private volatile @Nullable Provider discoveredProvider;

    /**
     * Configuration by the operator.
     *
     * @param issuer exactly as in its tokens and in the configuration of the API server
     * @param clientSecret read for each sign-in; empty for a public client
     * @param redirect URL of {@link #CALLBACK} as registered at the provider, which also names the only host for sign-in
     * @param tls trusts the provider
     */
    public record OidcOptions(
            URI issuer, String clientId, ClientSecret clientSecret, URI redirect, List<String> scopes, SSLContext tls) {
        public OidcOptions {
            scopes = List.copyOf(scopes);
        }

        /** Whether the browser sees the hub at the host of the redirect URL; otherwise the flow's cookie would be lost. */
        private boolean isAt(String host) {
            String authority = redirect.getAuthority().toLowerCase(Locale.ROOT);
            String seen = host.toLowerCase(Locale.ROOT);
            return seen.equals(authority)
                    || (seen + HTTPS_PORT).equals(authority)
                    || seen.equals(authority + HTTPS_PORT);
        }

        /** Whether a token claims to be an ID token of this issuer for this client. Only the API server verifies it. */
        public boolean isIdToken(String token) {
            return TokenClaims.isFor(TokenClaims.read(token), issuer.toString(), clientId);
        }
    }

    /** The client's secret. */
    @FunctionalInterface
    public interface ClientSecret {
        /** Empty for a public client. */
        Optional<Sensitive> read() throws IOException;
    }

    private record Provider(URI authorization, URI token, boolean basicAuthentication, Instant at) {}

    /** A flow that began: where to send the browser, and its {@code Set-Cookie}. */
    public record StartedFlow(URI location, String cookie) {}

    /** A completed flow: a token that is not reviewed yet, and the page that the user wanted. */
    public record CompletedFlow(Sensitive idToken, String back) {}

    /** Why a sign-in failed, for users. */
    public static final class OidcFailure extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        private OidcFailure(int status, String message) {
            super(message, null, false, false);
            this.status = status;
        }

        /** Whether the response was for this flow, which cannot be completed anymore. */
        public boolean endsFlow() {
            return status != 400 && status != MISDIRECTED && status != 503;
        }

        /** HTTP status of the page that shows it. */
        public int status() {
            return status;
        }

        public String message() {
            return String.valueOf(getMessage());
        }
    }

    public OidcSignIn(OidcOptions options, SessionKeys keys, InstantSource clock) {
        this.options = options;
        this.cookieSealer = new CookieSealer(keys, "osmhub OIDC sign-in");
        this.clock = clock;
        this.httpClient = HttpClient.newBuilder()
                .sslContext(options.tls())
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /** Host of the provider, for display. */
    public String providerName() {
        return options.issuer().getHost();
    }

    /**
     * Begins a flow. Blocks.
     *
     * @param host host and port of the hub as the browser sees them; only compared, because a client may send any
     * @param back page after sign-in
     * @param address of the client, for the rate limit
     * @throws ApiProblem after too many requests from the address, or while the keys are being loaded
     */
    public StartedFlow start(String host, String back, String address) throws OidcFailure, ApiProblem {
        admit(address);
        if (!options.isAt(host)) {
            throw new OidcFailure(
                    MISDIRECTED,
                    "Sign-in with " + providerName() + " is only possible at https://"
                            + options.redirect().getAuthority() + "/signin (api.oidc.redirectURL).");
        }
        cookieSealer.requireKeys();
        Provider provider = provider();
        String state = randomText();
        String nonce = randomText();
        String verifier = randomText();
        ObjectNode flow = JSON.createObjectNode()
                .put("state", state)
                .put("nonce", nonce)
                .put("verifier", verifier)
                .put("back", back)
                .put("ends", clock.instant().plus(LIFE).getEpochSecond());
        String sealed = cookieSealer.seal(flow.toString().getBytes(UTF_8));
        if (sealed.length() > CookieSealer.LONGEST) {
            sealed = cookieSealer.seal(flow.put("back", "/").toString().getBytes(UTF_8));
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("response_type", "code");
        parameters.put("client_id", options.clientId());
        parameters.put("redirect_uri", options.redirect().toString());
        parameters.put("scope", String.join(" ", options.scopes()));
        parameters.put("state", state);
        parameters.put("nonce", nonce);
        parameters.put("code_challenge", challenge(verifier));
        parameters.put("code_challenge_method", "S256");
        String page = provider.authorization().toString();
        return new StartedFlow(
                URI.create(page + (page.contains("?") ? "&" : "?") + encoded(parameters)), cookie(sealed, LIFE));
    }

    /** Value of {@code Set-Cookie} that deletes the cookie of a flow. */
    public static String endedCookie() {
        return cookie("", Duration.ZERO);
    }

    private static String cookie(String value, Duration life) {
        // Lax: the provider's redirect back is a navigation from another site.
        return COOKIE + "=" + value + "; Path=/; Max-Age=" + life.toSeconds() + "; Secure; HttpOnly; SameSite=Lax";
    }

    /** Counts a request against the limit of the address: anyone may send it, and it may cost one to the provider. */
    private void admit(String address) throws ApiProblem {
        CallerRateLimiter.RateLimitDecision verdict = attemptLimiter.tryAcquire(address);
        if (!verdict.allowed()) {
            throw ApiProblem.rateLimited(verdict.retryAfter());
        }
    }

    /**
     * Completes the flow. Blocks.
     *
     * @param response parameters of the provider's redirect
     * @param cookie of the flow
     * @param address of the client, for the rate limit
     * @throws ApiProblem after too many requests from the address, or if the key of the flow may be one that is being loaded
     */
    public CompletedFlow complete(Map<String, String> response, Optional<String> cookie, String address)
            throws OidcFailure, ApiProblem {
        admit(address);
        Optional<byte[]> opened = cookie.flatMap(cookieSealer::open);
        if (opened.isEmpty() && cookie.isPresent()) {
            cookieSealer.requireKeys();
        }
        JsonNode flow = opened.map(OidcSignIn::parse)
                .filter(open -> open.path("ends").asLong() > clock.instant().getEpochSecond())
                .filter(open -> isEqual(open.path("state").asText(), response.getOrDefault("state", "")))
                .orElseThrow(() -> new OidcFailure(
                        400,
                        "This sign-in was not started in this browser, or more than " + LIFE.toMinutes()
                                + " minutes ago. Sign in again."));
        String issuer = response.getOrDefault("iss", "");
        if (!issuer.isEmpty() && !issuer.equals(options.issuer().toString())) {
            throw logged(400, "The response is from another identity provider. Sign in again.");
        }
        String error = response.getOrDefault("error", "");
        if (error.equals("access_denied")) {
            throw new OidcFailure(401, providerName() + " did not sign you in: cancelled or denied.");
        }
        if (!error.isEmpty()) {
            throw logged(
                    502, providerName() + " rejected the sign-in (" + code(error) + "). " + configurationHint(error));
        }
        JsonNode answer = exchange(response.getOrDefault("code", ""), flow);
        String token = answer.path("id_token").asText();
        JsonNode claims = TokenClaims.read(token);
        if (!claims.isObject()) {
            throw logged(502, providerName() + " sent no ID token. Check that api.oidc.scopes contains openid.");
        }
        if (!TokenClaims.isFor(claims, options.issuer().toString(), options.clientId())) {
            throw logged(
                    502, "The ID token of " + providerName() + " is for another issuer or client. Check api.oidc.");
        }
        if (!isEqual(flow.path("nonce").asText(), claims.path("nonce").asText())) {
            throw logged(400, "The ID token belongs to another sign-in. Sign in again.");
        }
        if (claims.path("exp").asLong() <= clock.instant().minus(CLOCK_SKEW).getEpochSecond()) {
            throw logged(502, "The ID token of " + providerName() + " has already expired. Check the clocks.");
        }
        return new CompletedFlow(new Sensitive(token), flow.path("back").asText("/"));
    }

    private JsonNode exchange(String code, JsonNode flow) throws OidcFailure {
        Provider provider = provider();
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", options.redirect().toString());
        form.put("client_id", options.clientId());
        form.put("code_verifier", flow.path("verifier").asText());
        HttpRequest.Builder request =
                HttpRequest.newBuilder(provider.token()).header("Content-Type", "application/x-www-form-urlencoded");
        Optional<Sensitive> secret;
        try {
            secret = options.clientSecret().read();
        } catch (IOException e) {
            throw logged(502, "The hub cannot read its client secret. Check api.oidc.clientSecretFile.");
        }
        if (secret.isPresent() && provider.basicAuthentication()) {
            String pair =
                    encoded(options.clientId()) + ":" + encoded(secret.get().reveal());
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)));
        } else if (secret.isPresent()) {
            form.put("client_secret", secret.get().reveal());
        }
        HttpResponse<byte[]> response = send(request.POST(HttpRequest.BodyPublishers.ofString(encoded(form))));
        JsonNode answer = parse(response.body());
        if (response.statusCode() == 200) {
            return answer;
        }
        String error = answer.path("error").asText();
        if (error.equals("invalid_grant")) {
            throw logged(401, providerName() + " rejected the code: it has expired or was used before. Sign in again.");
        }
        throw logged(
                502,
                providerName() + " rejected the code (" + response.statusCode() + " " + code(error) + "). "
                        + configurationHint(error));
    }

    private static String configurationHint(String error) {
        return switch (error) {
            case "invalid_client", "unauthorized_client" ->
                "Check api.oidc.clientId, api.oidc.clientSecretFile and the redirect URI of the client.";
            case "invalid_scope" -> "Check api.oidc.scopes.";
            default -> "Sign in again, or check the provider's log.";
        };
    }

    /** Discovers the provider's endpoints. */
    private Provider provider() throws OidcFailure {
        Provider known = discoveredProvider;
        if (known != null && known.at().plus(DISCOVERED).isAfter(clock.instant())) {
            return known;
        }
        String issuer = options.issuer().toString();
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        HttpResponse<byte[]> response =
                send(HttpRequest.newBuilder(URI.create(base + "/.well-known/openid-configuration")));
        JsonNode document = parse(response.body());
        if (response.statusCode() != 200 || !document.isObject()) {
            throw logged(
                    502,
                    providerName() + " has no discovery document (" + response.statusCode()
                            + "). Check api.oidc.issuer.");
        }
        if (!document.path("issuer").asText().equals(issuer)) {
            throw logged(
                    502,
                    "The discovery document of " + providerName() + " is for another issuer. Check api.oidc.issuer.");
        }
        URI token = endpoint(document, "token_endpoint");
        // The hub connects to no other host than the configured one.
        if (!options.issuer().getAuthority().equals(token.getAuthority())) {
            throw logged(
                    502, "The token endpoint of " + providerName() + " is on another host, which is not supported.");
        }
        JsonNode methods = document.path("token_endpoint_auth_methods_supported");
        boolean basic = methods.isMissingNode()
                || methods.valueStream().anyMatch(each -> each.asText().equals("client_secret_basic"));
        Provider made = new Provider(endpoint(document, "authorization_endpoint"), token, basic, clock.instant());
        discoveredProvider = made;
        return made;
    }

    private URI endpoint(JsonNode document, String name) throws OidcFailure {
        try {
            URI address = URI.create(document.path(name).asText());
            if ("https".equals(address.getScheme()) && address.getHost() != null && address.getFragment() == null) {
                return address;
            }
        } catch (IllegalArgumentException notAnAddress) {
            // Handled below.
        }
        throw logged(502, "The discovery document of " + providerName() + " has no valid " + name + ".");
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws OidcFailure {
        if (!places.tryAcquire()) {
            throw new OidcFailure(503, "Too many sign-ins are in progress. Sign in again in a few seconds.");
        }
        // The time limit of a request ends with the headers of its response.
        CompletableFuture<HttpResponse<byte[]>> sent = httpClient.sendAsync(
                request.timeout(ANSWER).header("Accept", "application/json").build(),
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), LARGEST_RESPONSE));
        try {
            return sent.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            LOG.atWarn().addKeyValue("cause", cause.toString()).log("OIDC provider {} did not respond", providerName());
            throw new OidcFailure(
                    502,
                    providerName() + " cannot be reached or is not trusted; see the hub's log. Sign in with a token.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OidcFailure(503, "The hub is shutting down. Sign in again.");
        } finally {
            sent.cancel(true);
            places.release();
        }
    }

    private static OidcFailure logged(int status, String message) {
        LOG.atWarn().addKeyValue("cause", message).log("OIDC sign-in failed");
        return new OidcFailure(status, message);
    }

    /** An error code of the provider; anything else may be any text. */
    private static String code(String error) {
        return error.matches("[a-z_]{1,40}") ? error : "unknown error";
    }

    private static JsonNode parse(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException notJson) {
            return JSON.missingNode();
        } catch (IOException impossible) {
            throw new IllegalStateException("read from memory", impossible);
        }
    }

    private String randomText() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String challenge(String verifier) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no SHA-256", e);
        }
    }

    private static boolean isEqual(String one, String other) {
        return !one.isEmpty() && MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
    }

    private static String encoded(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}

package io.osmhub.api.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.http.SelfSignedCertificate;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.net.URLDecoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/** An OpenID Connect provider over HTTPS on the loopback; a test is its user. */
final class FakeIssuer implements AutoCloseable {
    static final String CLIENT = "osm-hub-console";
    private static final ObjectMapper JSON = new ObjectMapper();

    final Instant now;
    final URI issuer;
    /** Changes the discovery document. */
    volatile Consumer<ObjectNode> discovery = document -> {};
    /** Changes the claims of the next ID tokens. */
    volatile Consumer<ObjectNode> claims = claims -> {};
    /** Expected secret of the client; empty for a public one. */
    volatile String secret = "";
    /** Issued ID tokens. */
    final List<String> tokens = new CopyOnWriteArrayList<>();

    final List<String> requests = new CopyOnWriteArrayList<>();
    volatile Consumer<String> onToken = token -> {};
    private final SelfSignedCertificate certificate = new SelfSignedCertificate(List.of("localhost"));
    private final HttpServer server;
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();

    FakeIssuer(Vertx vertx, Instant now) throws Exception {
        this.now = now;
        server = vertx.createHttpServer(new HttpServerOptions().setSsl(true).setKeyCertOptions(certificate.current()))
                .requestHandler(this::handle)
                .listen(0, "localhost")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        issuer = URI.create("https://localhost:" + server.actualPort() + "/realm");
    }

    /** Trusts this issuer only. */
    SSLContext trust() {
        return certificate.trusting();
    }

    /** The user signs in; the parameters of the redirect back. */
    Map<String, String> authorize(URI location) {
        Map<String, String> query = parameters(location.getRawQuery());
        String code = "code-" + codes.size();
        codes.put(code, query);
        Map<String, String> response = new HashMap<>();
        response.put("code", code);
        response.put("state", query.getOrDefault("state", ""));
        response.put("iss", issuer.toString());
        return response;
    }

    void expireCodes() {
        codes.clear();
    }

    static Map<String, String> parameters(String query) {
        return Arrays.stream(query.split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8)));
    }

    private void handle(HttpServerRequest request) {
        requests.add(request.method() + " " + request.path());
        if (request.path().equals("/realm/.well-known/openid-configuration")) {
            ObjectNode document = JSON.createObjectNode()
                    .put("issuer", issuer.toString())
                    .put("authorization_endpoint", issuer + "/authorize?tenant=1")
                    .put("token_endpoint", issuer + "/token");
            discovery.accept(document);
            request.response().end(document.toString());
        } else if (request.path().equals("/realm/token")) {
            request.body().onSuccess(body -> token(request, parameters(body.toString(UTF_8))));
        } else {
            request.response().setStatusCode(404).end();
        }
    }

    private void token(HttpServerRequest request, Map<String, String> form) {
        Map<String, String> authorized = codes.remove(form.getOrDefault("code", ""));
        String authorization = secret.isEmpty()
                ? null
                : "Basic " + Base64.getEncoder().encodeToString((CLIENT + ":" + secret).getBytes(UTF_8));
        if (authorization != null
                && !authorization.equals(request.getHeader("Authorization"))
                && !secret.equals(form.get("client_secret"))) {
            request.response().setStatusCode(401).end("{\"error\":\"invalid_client\"}");
            return;
        }
        if (authorized == null
                || !Objects.equals(authorized.get("redirect_uri"), form.get("redirect_uri"))
                || !Objects.equals(authorized.get("client_id"), form.get("client_id"))
                || !Objects.equals(authorized.get("code_challenge_method"), "S256")
                || !Objects.equals(authorized.get("code_challenge"), sha256(form.getOrDefault("code_verifier", "")))
                || !"authorization_code".equals(form.get("grant_type"))) {
            request.response()
                    .setStatusCode(400)
                    .end("{\"error\":\"invalid_grant\",\"error_description\":\"<b>no</b>\"}");
            return;
        }
        ObjectNode payload = JSON.createObjectNode()
                .put("iss", issuer.toString())
                .put("aud", CLIENT)
                .put("sub", "ann")
                .put("nonce", authorized.get("nonce"))
                .put("exp", now.plusSeconds(300).getEpochSecond());
        claims.accept(payload);
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        String token = encoder.encodeToString("{\"alg\":\"RS256\"}".getBytes(UTF_8)) + "."
                + encoder.encodeToString(payload.toString().getBytes(UTF_8)) + ".c2lnbmF0dXJl";
        tokens.add(token);
        onToken.accept(token);
        request.response()
                .end(JSON.createObjectNode()
                        .put("id_token", token)
                        .put("access_token", "unused-access-token")
                        .put("refresh_token", "unused-refresh-token")
                        .toString());
    }

    private static String sha256(String verifier) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
    }
}

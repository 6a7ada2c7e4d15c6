package io.osmhub.deploy.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ProblemDetails;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Sends requests to the hub's API with a bearer token. Blocks for responses. */
public final class RestClient implements AutoCloseable {
    private static final String BASE = "/api/v1";
    private static final int SHOWN = 100;
    private static final int MOST_OF_A_PROBLEM = 256 * 1024;

    private final HttpClient http;
    private final URI server;
    private final Duration timeout;
    private final @Nullable Sensitive token;
    private final Consumer<String> requests;

    private RestClient(
            HttpClient http, URI server, Duration timeout, @Nullable Sensitive token, Consumer<String> requests) {
        this.requests = requests;
        this.http = http;
        this.server = server;
        this.timeout = timeout;
        this.token = token;
    }

    static RestClient open(FleetEndpoint remote, URI server) throws FleetFailure {
        String scheme = server.getScheme();
        if (server.getHost() == null
                || scheme == null
                || !List.of("http", "https").contains(scheme)) {
            throw new FleetFailure(
                    FleetFailureKind.UNUSABLE,
                    "--server " + server + " is not a valid address; write https://HOST[:PORT]");
        }
        HttpClient.Builder http =
                HttpClient.newBuilder().connectTimeout(remote.timeout()).followRedirects(HttpClient.Redirect.NEVER);
        if (remote.authorityFile() != null) {
            http.sslContext(trusting(remote.authorityFile()));
        }
        return new RestClient(http.build(), server, remote.timeout(), token(remote.tokenFile()), remote.requests());
    }

    private static @Nullable Sensitive token(@Nullable Path file) throws FleetFailure {
        if (file == null) {
            return null;
        }
        try {
            String text = Files.readString(file, UTF_8).strip();
            if (text.isEmpty() || text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
                throw new FleetFailure(
                        FleetFailureKind.UNUSABLE, "--token-file " + file + ": expected a token on one line");
            }
            return new Sensitive(text);
        } catch (IOException e) {
            throw new FleetFailure(
                    FleetFailureKind.UNUSABLE, "--token-file " + file + ": cannot be read; check the path");
        }
    }

    private static SSLContext trusting(Path file) throws FleetFailure {
        try (var in = Files.newInputStream(file)) {
            KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
            authorities.load(null, null);
            int number = 0;
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                authorities.setCertificateEntry("authority-" + number++, one);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new FleetFailure(
                    FleetFailureKind.UNUSABLE,
                    "--ca-file " + file + ": expected PEM certificates; check the path and content");
        }
    }

    String server() {
        return server.toString();
    }

    /** Encodes a path segment. */
    static String segment(String text) throws FleetFailure {
        if (text.isEmpty() || text.equals(".") || text.equals("..")) {
            throw new FleetFailure(FleetFailureKind.UNUSABLE, "\"" + text + "\" is not a valid object name");
        }
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /**
     * Reads an object.
     *
     * @param path below /api/v1
     */
    public <T> T get(String path, Map<String, String> parameters, Class<T> type) throws FleetFailure {
        return send("GET", withQuery(path, parameters), Map.of(), null, type);
    }

    private static String withQuery(String path, Map<String, String> parameters) {
        String query = parameters.entrySet().stream()
                .map(entry ->
                        URLEncoder.encode(entry.getKey(), UTF_8) + "=" + URLEncoder.encode(entry.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? path : path + "?" + query;
    }

    /**
     * Opens a stream of events; the caller closes it.
     *
     * @param headers in addition to the default ones
     */
    InputStream stream(String path, Map<String, String> parameters, Map<String, String> headers) throws FleetFailure {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Accept", "text/event-stream, application/problem+json");
        HttpRequest request = request("GET", withQuery(path, parameters), all, null);
        HttpResponse<InputStream> answer = exchange(request, BodyHandlers.ofInputStream());
        if (answer.statusCode() / 100 == 2) {
            return answer.body();
        }
        try (InputStream body = answer.body()) {
            throw failure(answer.statusCode(), body.readNBytes(MOST_OF_A_PROBLEM));
        } catch (IOException e) {
            throw failure(answer.statusCode(), new byte[0]);
        }
    }

    /**
     * Sends a request.
     *
     * @param path below /api/v1
     * @param body a record of the schema or JSON; null for none
     */
    public <T> T send(String method, String path, Map<String, String> headers, @Nullable Object body, Class<T> type)
            throws FleetFailure {
        HttpResponse<byte[]> answer = exchange(request(method, path, headers, body), BodyHandlers.ofByteArray());
        if (answer.statusCode() / 100 != 2) {
            throw failure(answer.statusCode(), answer.body());
        }
        try {
            return ApiJson.client().readValue(answer.body(), type);
        } catch (IOException e) {
            throw new FleetFailure(
                    FleetFailureKind.UNREACHABLE,
                    "unexpected response from " + server + ": not the API of a hub; check --server");
        }
    }

    private HttpRequest request(String method, String path, Map<String, String> headers, @Nullable Object body)
            throws FleetFailure {
        String base = server.toString().replaceFirst("/+$", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + BASE + path))
                .timeout(timeout)
                .setHeader("Accept", "application/json, application/problem+json");
        if (token != null) {
            request.header("Authorization", "Bearer " + token.reveal());
        }
        headers.forEach(request::setHeader);
        if (body == null) {
            return request.method(method, BodyPublishers.noBody()).build();
        }
        try {
            return request.header("Content-Type", "application/json")
                    .method(method, BodyPublishers.ofByteArray(ApiJson.client().writeValueAsBytes(body)))
                    .build();
        } catch (JsonProcessingException e) {
            throw new FleetFailure(FleetFailureKind.INTERNAL, "failed to serialize a request as JSON");
        }
    }

    private <B> HttpResponse<B> exchange(HttpRequest request, BodyHandler<B> handler) throws FleetFailure {
        long begun = System.nanoTime();
        String what = request.method() + " " + request.uri() + ": ";
        try {
            HttpResponse<B> answer = http.send(request, handler);
            requests.accept(what + answer.statusCode() + ", " + (System.nanoTime() - begun) / 1_000_000 + " ms");
            return answer;
        } catch (HttpTimeoutException e) {
            throw new FleetFailure(
                    FleetFailureKind.UNREACHABLE,
                    "no response from " + server + " in time; check the network or raise --timeout");
        } catch (SSLException e) {
            throw new FleetFailure(
                    FleetFailureKind.UNREACHABLE,
                    "the certificate of " + server + " is not trusted; set its certificate authority with --ca-file");
        } catch (IOException e) {
            throw new FleetFailure(
                    FleetFailureKind.UNREACHABLE,
                    "cannot connect to " + server + "; check the address and that the hub is running");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FleetFailure(FleetFailureKind.UNREACHABLE, "interrupted");
        }
    }

    private FleetFailure failure(int status, byte[] body) {
        if (status == 401) {
            return new FleetFailure(
                    FleetFailureKind.NOT_ALLOWED,
                    "not authenticated at " + server + "; "
                            + (token == null
                                    ? "use --token-file or --kubeconfig"
                                    : "the token was rejected; use another --token-file"));
        }
        try {
            return of(ApiJson.client().readValue(body, ProblemDetails.class));
        } catch (IOException e) {
            return new FleetFailure(
                    FleetFailureKind.UNREACHABLE, server + " responded " + status + " without details; check --server");
        }
    }

    private FleetFailure of(ProblemDetails problem) {
        List<String> lines = new ArrayList<>();
        List<ProblemDetails.ProblemError> errors = problem.errors() == null ? List.of() : problem.errors();
        if (errors.size() == 1 && errors.getFirst().detail().equals(problem.detail())) {
            // Do not repeat a single error.
            ProblemDetails.ProblemError error = errors.getFirst();
            String cure = error.cure() == null ? "" : "; " + error.cure();
            return new FleetFailure(kind(problem), TerminalSanitizer.sanitizeLine(error.detail() + cure));
        }
        int width =
                errors.stream().mapToInt(error -> place(error).length()).max().orElse(0);
        for (ProblemDetails.ProblemError error : errors.subList(0, Math.min(SHOWN, errors.size()))) {
            String place = place(error);
            String pad = " ".repeat(width - place.length());
            lines.add(place
                    + pad
                    + (width == 0 ? "" : "  ")
                    + MessageFormatter.sanitize(error.detail())
                    + (error.cure() == null ? "" : "; " + MessageFormatter.sanitize(error.cure())));
        }
        String detail = problem.detail() == null ? problem.title() : problem.detail();
        String id = problem.status() >= 500 && problem.requestId() != null
                ? " (request " + MessageFormatter.sanitize(problem.requestId()) + ")"
                : "";
        return new FleetFailure(kind(problem), detail.replaceAll("\\p{Cntrl}", " ") + id, lines);
    }

    private static String place(ProblemDetails.ProblemError error) {
        String place = error.field() != null ? error.field() : error.pointer();
        return place == null ? "" : MessageFormatter.sanitize(place);
    }

    private static FleetFailureKind kind(ProblemDetails problem) {
        return switch (problem.status()) {
            case 403 -> FleetFailureKind.NOT_ALLOWED;
            case 404, 410 -> FleetFailureKind.NOT_FOUND;
            case 409, 412 -> FleetFailureKind.CONFLICT;
            case 422 ->
                problem.type().endsWith(":test-failed") ? FleetFailureKind.FOUND_SOMETHING : FleetFailureKind.UNUSABLE;
            case 500 -> FleetFailureKind.INTERNAL;
            case 502 -> FleetFailureKind.FOUND_SOMETHING;
            case 429, 503, 504 -> FleetFailureKind.UNREACHABLE;
            default -> problem.status() < 500 ? FleetFailureKind.UNUSABLE : FleetFailureKind.UNREACHABLE;
        };
    }

    @Override
    public void close() {
        http.close();
    }
}

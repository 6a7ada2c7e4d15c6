package io.osmhub.deploy.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffRequest;
import io.osmhub.api.schema.KubeconfigRequest;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.api.schema.PagedList;
import io.osmhub.api.schema.ProblemDetails;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterRegistration;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The hub's API, at its URL or through the management cluster. The hub authenticates the caller by a bearer token. Blocks for
 * responses.
 */
public final class HubClient implements RegistrationClient {
    private static final String BASE = "/api/v1";
    private static final String WORKER_CLUSTER = "/namespaces/{}/worker-clusters/{}";
    private static final int PAGE = 500;
    private static final int SHOWN = 100;

    /**
     * Filter of a list.
     *
     * @param namespace the only tenant; empty for all visible ones
     * @param labelSelector empty for any labels
     * @param search part of a name, namespace, label value or reason; empty for any
     */
    public record FleetListQuery(String namespace, String labelSelector, String search) {
        public static FleetListQuery in(String namespace) {
            return new FleetListQuery(namespace, "", "");
        }

        /** The API's parameters of one page. */
        Map<String, String> parameters(@Nullable String next) {
            Map<String, String> parameters = new LinkedHashMap<>();
            parameters.put("limit", Integer.toString(PAGE));
            parameters.put("namespace", namespace);
            parameters.put("labelSelector", labelSelector);
            parameters.put("search", search);
            parameters.put("continue", next == null ? "" : next);
            parameters.values().removeIf(String::isEmpty);
            return parameters;
        }
    }

    private final HttpClient http;
    private final URI server;
    private final FleetEndpoint endpoint;
    private final @Nullable AccountCredential account;
    private final @Nullable HubTunnel tunnel;
    private final @Nullable Sensitive sensitiveToken;
    private Consumer<String> hints = hint -> {};

    private HubClient(
            FleetEndpoint endpoint,
            URI server,
            @Nullable AccountCredential account,
            @Nullable HubTunnel tunnel,
            String authorities) {
        if (server.getHost() == null
                || server.getScheme() == null
                || !List.of("http", "https").contains(server.getScheme())) {
            throw CommandFailure.unusable("--server " + server + " is not a valid address; write https://HOST[:PORT]");
        }
        this.endpoint = endpoint;
        this.server = server;
        this.account = account;
        this.tunnel = tunnel;
        this.sensitiveToken = token(endpoint.tokenFile());
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(endpoint.timeout())
                .followRedirects(HttpClient.Redirect.NEVER);
        SSLContext trust = trust(endpoint.authorityFile(), authorities);
        if (trust != null) {
            builder.sslContext(trust);
        }
        this.http = builder.build();
    }

    static HubClient open(FleetEndpoint endpoint) {
        TlsSettings.apply();
        URI server = endpoint.server();
        if (server != null) {
            return new HubClient(endpoint, server, null, null, "");
        }
        ManagementClient management = ManagementClient.open(endpoint);
        try {
            return open(endpoint, management, Login.find(management.access()));
        } catch (CommandFailure e) {
            management.close();
            throw e;
        }
    }

    /**
     * With a token of a ServiceAccount. Closes {@code management} when closed, but not on failure.
     *
     * @param login null to forward a port to a pod of the hub
     */
    static HubClient open(FleetEndpoint endpoint, ManagementClient management, @Nullable Login login) {
        AccountCredential account = new AccountCredential(
                management, endpoint.tunnel().accountOr(login == null ? "" : login.serviceAccount()));
        if (login != null) {
            return new HubClient(endpoint, login.server(), account, null, login.authorities());
        }
        HubTunnel tunnel = new HubTunnel(endpoint, management);
        try {
            String authorities = endpoint.authorityFile() == null ? account.authorities() : "";
            return new HubClient(endpoint, tunnel.address(), account, tunnel, authorities);
        } catch (CommandFailure e) {
            tunnel.close();
            throw e;
        }
    }

    private static @Nullable Sensitive token(@Nullable Path file) {
        if (file == null) {
            return null;
        }
        try {
            String text = Files.readString(file, UTF_8).strip();
            if (text.isEmpty() || text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
                throw CommandFailure.unusable("--token-file " + file + ": expected a token on one line");
            }
            return new Sensitive(text);
        } catch (IOException e) {
            throw CommandFailure.unusable("--token-file " + file + ": cannot be read; check the path");
        }
    }

    /** Null for Java's defaults. */
    private static @Nullable SSLContext trust(@Nullable Path file, String known) {
        try {
            String authorities = file == null ? known : Files.readString(file, UTF_8);
            return file == null && authorities.isEmpty() ? null : trusting(authorities);
        } catch (IOException | GeneralSecurityException e) {
            throw CommandFailure.unusable(
                    file == null
                            ? "the management cluster has no usable certificate authority of the hub; use --ca-file"
                            : "--ca-file " + file + ": expected PEM certificates; check the path and content");
        }
    }

    private static SSLContext trusting(String pem) throws IOException, GeneralSecurityException {
        KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
        authorities.load(null, null);
        int number = 0;
        for (Certificate one : CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(UTF_8)))) {
            authorities.setCertificateEntry("authority-" + number++, one);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Override
    public String describe() {
        return tunnel != null ? tunnel.describe() : server + (account == null ? "" : " (of hub login)");
    }

    @Override
    public void close() {
        http.close();
        if (tunnel != null) {
            tunnel.close();
        }
        if (account != null) {
            account.close();
        }
    }

    // Requests

    /** Encodes a path segment. */
    private static String segment(String text) {
        if (text.isEmpty() || text.equals(".") || text.equals("..")) {
            throw CommandFailure.unusable("\"" + text + "\" is not a valid object name");
        }
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /**
     * Reads an object.
     *
     * @param path below /api/v1, with {@code {}} for each segment
     */
    public <T> T get(Class<T> type, String path, String... segments) {
        return send("GET", path(path, segments), Map.of(), null, type);
    }

    private static String path(String path, String... segments) {
        String filled = path;
        for (String segment : segments) {
            filled = filled.replaceFirst("\\{}", segment(segment));
        }
        return filled;
    }

    private static String withQuery(String path, Map<String, String> parameters) {
        String query = parameters.entrySet().stream()
                .map(entry ->
                        URLEncoder.encode(entry.getKey(), UTF_8) + "=" + URLEncoder.encode(entry.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        return query.isEmpty() ? path : path + "?" + query;
    }

    /**
     * Sends a request.
     *
     * @param path below /api/v1
     * @param body a record of the schema or JSON; null for none
     */
    public <T> T send(String method, String path, Map<String, String> headers, @Nullable Object body, Class<T> type) {
        return send(method, path, headers, body, ApiJson.client().constructType(type));
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // callers pass the same type as a value
    private <T> T send(String method, String path, Map<String, String> headers, @Nullable Object body, JavaType type) {
        HttpResponse<byte[]> answer = exchange(request(method, path, headers, body), BodyHandlers.ofByteArray());
        if (answer.statusCode() / 100 != 2) {
            throw failure(answer.statusCode(), answer.body());
        }
        try {
            return ApiJson.client().readValue(answer.body(), type);
        } catch (IOException e) {
            throw CommandFailure.unreachable(
                    "unexpected response from " + describe() + ": not the API of a hub; check --server");
        }
    }

    private HttpRequest request(String method, String path, Map<String, String> headers, @Nullable Object body) {
        String base = server.toString().replaceFirst("/+$", "");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + BASE + path))
                .timeout(endpoint.timeout())
                .setHeader("Accept", "application/json, application/problem+json");
        Sensitive credential = sensitiveToken == null && account != null ? account.token() : sensitiveToken;
        if (credential != null) {
            request.header("Authorization", "Bearer " + credential.reveal());
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
            throw new CommandFailure(CommandFailureKind.INTERNAL, "failed to serialize a request as JSON");
        }
    }

    private <B> HttpResponse<B> exchange(HttpRequest request, BodyHandler<B> handler) {
        long begun = System.nanoTime();
        String what = request.method() + " " + request.uri() + ": ";
        try {
            HttpResponse<B> answer = http.send(request, handler);
            endpoint.requests()
                    .accept(what + answer.statusCode() + ", " + (System.nanoTime() - begun) / 1_000_000 + " ms");
            return answer;
        } catch (HttpTimeoutException e) {
            throw CommandFailure.unreachable(
                    "no response from " + describe() + " in time; check the network or raise --timeout");
        } catch (IOException e) {
            if (isUntrusted(e)) {
                throw CommandFailure.unreachable("the certificate of " + describe()
                        + " is not trusted; set its certificate authority with --ca-file"
                        + (account != null && tunnel == null ? ", or run hub login again" : ""));
            }
            CommandFailure refusal = tunnel == null ? null : tunnel.refusal();
            throw refusal != null
                    ? refusal
                    : CommandFailure.unreachable(
                            "cannot connect to " + describe() + "; check the address and that the hub is running");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.unreachable("interrupted");
        }
    }

    private static boolean isUntrusted(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    private CommandFailure failure(int status, byte[] body) {
        if (status == 401) {
            return new CommandFailure(
                    CommandFailureKind.NOT_ALLOWED,
                    "not authenticated at " + describe() + "; "
                            + (sensitiveToken != null
                                    ? "the token was rejected; use another --token-file"
                                    : account != null
                                            ? "the token of " + account
                                                    + " was rejected; use --token-file with one for api.audiences"
                                            : "use --token-file or --kubeconfig"));
        }
        try {
            return of(ApiJson.client().readValue(body, ProblemDetails.class));
        } catch (IOException e) {
            return CommandFailure.unreachable(describe() + " responded " + status + " without details; check --server");
        }
    }

    private CommandFailure of(ProblemDetails problem) {
        List<ProblemDetails.ProblemError> errors = problem.errors() == null ? List.of() : problem.errors();
        return kind(problem) == CommandFailureKind.UNUSABLE
                ? new InvalidRequest(withLines(problem, errors), errors)
                : withLines(problem, errors);
    }

    private static CommandFailure withLines(ProblemDetails problem, List<ProblemDetails.ProblemError> errors) {
        if (errors.size() == 1 && errors.getFirst().detail().equals(problem.detail())) {
            // Do not repeat a single error.
            ProblemDetails.ProblemError error = errors.getFirst();
            return new CommandFailure(
                    kind(problem),
                    TerminalSanitizer.sanitizeLine(FailureMessages.withFix(error.detail(), error.cure())));
        }
        List<String> lines = FailureMessages.alignedLines(
                errors.subList(0, Math.min(SHOWN, errors.size())),
                HubClient::place,
                ProblemDetails.ProblemError::detail,
                ProblemDetails.ProblemError::cure);
        String detail = problem.detail() == null ? problem.title() : problem.detail();
        String id =
                problem.status() >= 500 && problem.requestId() != null ? " (request " + problem.requestId() + ")" : "";
        return new CommandFailure(kind(problem), TerminalSanitizer.sanitizeLine(detail + id), lines);
    }

    /** Ends a command whose request has errors. */
    public static final class InvalidRequest extends CommandFailure {
        private static final long serialVersionUID = 1L;
        private final transient List<ProblemDetails.ProblemError> errors;

        private InvalidRequest(CommandFailure failure, List<ProblemDetails.ProblemError> errors) {
            super(failure.kind(), failure.text(), failure.lines());
            this.errors = List.copyOf(errors);
        }

        public List<ProblemDetails.ProblemError> errors() {
            return errors;
        }
    }

    private static String place(ProblemDetails.ProblemError error) {
        String place = error.field() != null ? error.field() : error.pointer();
        return place == null ? "" : place;
    }

    private static CommandFailureKind kind(ProblemDetails problem) {
        return switch (problem.status()) {
            case 403 -> CommandFailureKind.NOT_ALLOWED;
            case 404, 410 -> CommandFailureKind.NOT_FOUND;
            case 409, 412 -> CommandFailureKind.CONFLICT;
            case 422 ->
                problem.type().endsWith(":test-failed")
                        ? CommandFailureKind.FOUND_SOMETHING
                        : CommandFailureKind.UNUSABLE;
            case 500 -> CommandFailureKind.INTERNAL;
            case 502 -> CommandFailureKind.FOUND_SOMETHING;
            case 429, 503, 504 -> CommandFailureKind.UNREACHABLE;
            default -> problem.status() < 500 ? CommandFailureKind.UNUSABLE : CommandFailureKind.UNREACHABLE;
        };
    }

    // Operations of the API

    /** Where hints about incomplete answers are printed. */
    public HubClient withHints(Consumer<String> printer) {
        hints = printer;
        return this;
    }

    /** Reads all pages of a list. */
    public <T> List<T> list(String path, Class<T> item, FleetListQuery query) {
        JavaType type = ApiJson.client().getTypeFactory().constructParametricType(PagedList.class, item);
        List<T> found = new ArrayList<>();
        Set<String> unanswered = new TreeSet<>();
        String next = null;
        do {
            PagedList<T> page = send("GET", withQuery(path, query.parameters(next)), Map.of(), null, type);
            found.addAll(page.items());
            NullableCollections.stream(page.unanswered()).forEach(unanswered::add);
            next = page.next();
        } while (next != null);
        if (!unanswered.isEmpty()) {
            hints.accept("replica " + String.join(", ", unanswered)
                    + " of the hub did not answer: live values of its tenants are missing");
        }
        return List.copyOf(found);
    }

    /** Why new nodes of a MachineDeployment are or are not joining. */
    public WhyReport why(String tenant, String namespace, String name) {
        return get(WhyReport.class, "/namespaces/{}/machine-deployments/{}/{}/why", tenant, namespace, name);
    }

    /** Why a machine is or is not joining. */
    public WhyReport whyMachine(String tenant, String namespace, String machine) {
        return get(WhyReport.class, "/namespaces/{}/machines/{}/{}/why", tenant, namespace, machine);
    }

    public OspDetail profile(String namespace, String name) {
        return get(OspDetail.class, "/namespaces/{}/osps/{}", namespace, name);
    }

    /** One page of the preview of a change. */
    public DiffReport diff(DiffRequest request) {
        return send("POST", "/diff", Map.of(), request, DiffReport.class);
    }

    // Registrations

    @Override
    public WorkerClusterEntry workerCluster(String namespace, String name) {
        return get(WorkerClusterEntry.class, WORKER_CLUSTER, namespace, name);
    }

    @Override
    public RegistrationResult put(
            String namespace, String name, WorkerClusterRegistration registration, boolean mustBeNew, boolean dryRun) {
        return send(
                "PUT",
                path(WORKER_CLUSTER, namespace, name) + (dryRun ? "?dryRun=All" : ""),
                mustBeNew ? Map.of("If-None-Match", "*") : Map.of(),
                registration,
                RegistrationResult.class);
    }

    @Override
    public WorkerClusterEntry patch(String namespace, String name, JsonNode patch) {
        return send("PATCH", path(WORKER_CLUSTER, namespace, name), Map.of(), patch, WorkerClusterEntry.class);
    }

    @Override
    public WorkerClusterEntry remove(String namespace, String name, boolean retain) {
        return send(
                "DELETE",
                path(WORKER_CLUSTER, namespace, name) + (retain ? "?deletionPolicy=Retain" : ""),
                Map.of(),
                null,
                WorkerClusterEntry.class);
    }

    @Override
    public TestReport test(String namespace, String name, @Nullable Sensitive kubeconfig) {
        return send(
                "POST",
                path(WORKER_CLUSTER + "/test", namespace, name),
                Map.of(),
                kubeconfig == null ? null : new KubeconfigRequest(kubeconfig, null),
                TestReport.class);
    }

    @Override
    public RegistrationResult rotate(String namespace, String name, Sensitive kubeconfig, boolean scoped) {
        return send(
                "POST",
                path(WORKER_CLUSTER + "/rotate", namespace, name),
                Map.of(),
                new KubeconfigRequest(kubeconfig, scoped ? true : null),
                RegistrationResult.class);
    }

    @Override
    public WorkerClusterEntry renew(String namespace, String name) {
        return send(
                        "POST",
                        path(WORKER_CLUSTER + "/scoped-credential", namespace, name),
                        Map.of(),
                        null,
                        RegistrationResult.class)
                .workerCluster();
    }
}

package io.osmhub.api.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.ReplicaTickets;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.contract.ContractParameter;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.problem.RequestError.RequestPart;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ProblemDetails;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.tenancy.certificate.ServingCertificate;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SSLOptions;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to the other replicas. A request for one tenant goes to the replica that serves it, one about all tenants to all. It
 * carries the caller's own credential, so the other replica checks all permissions again, and a ticket, so it is never sent on.
 * Methods block, for virtual threads. Thread-safe.
 *
 * <p>Replicas are dialed at the address that they publish in their Leases. They are trusted only with the hub's certificate, so who can
 * write Leases receives no credential.
 */
public final class PeerReplicas {
    private static final Logger LOG = LoggerFactory.getLogger(PeerReplicas.class);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    /** Longest of an answer for one tenant: rendering waits for its turn, and machines are read from the worker cluster. */
    private static final Duration LONGEST = Duration.ofSeconds(20);
    /** The server closes idle connections after 60 s. */
    private static final int KEEP_ALIVE_SECONDS = 30;

    private static final int CONNECTIONS = 64;
    private static final int LARGEST_ANSWER = 32 << 20;
    private static final int UNAUTHENTICATED = 401;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final ApiContract contract;
    private final ServingCertificate certificate;
    private final ReplicaTickets tickets;
    private final ReplicaDirectory directory;
    private final ExecutorService threads;
    private @Nullable HttpClient client;

    /** The replicas as observed by this one; by default it is the only one. Must not block. */
    @FunctionalInterface
    public interface ReplicaDirectory {
        /** Name of this replica. */
        String name();

        /** Whether this replica serves the tenant of a namespace now. */
        default boolean serves(String namespace) {
            return true;
        }

        /** Name of the replica to which the tenant of a namespace belongs; empty while undecided. */
        default String servedBy(String namespace) {
            return "";
        }

        /** URLs of the APIs of the other live replicas, by name; an empty URL if it is not published. */
        default Map<String, String> others() {
            return Map.of();
        }
    }

    /**
     * Answers of the other replicas.
     *
     * @param unanswered names of those that did not answer in time, sorted
     */
    public record PeerAnswers<T>(List<T> answers, List<String> unanswered) {}

    /** A response of another replica. */
    private record PeerResponse(
            int status, @Nullable String etag, @Nullable String retryAfter, byte[] body) {}

    /** Computes the answer of this replica. */
    @FunctionalInterface
    public interface OwnAnswer<T> {
        T answer() throws ApiProblem;
    }

    /** Decodes an answer. */
    private interface AnswerReader<T> {
        T read(String url) throws IOException, ApiProblem;
    }

    /** @param threads one virtual thread per task */
    public PeerReplicas(
            Vertx vertx,
            ApiContract contract,
            ServingCertificate certificate,
            ReplicaTickets tickets,
            ReplicaDirectory directory,
            ExecutorService threads) {
        this.vertx = vertx;
        this.contract = contract;
        this.certificate = certificate;
        this.tickets = tickets;
        this.directory = directory;
        this.threads = threads;
        certificate.onChange(this::updateTrust);
    }

    public ApiContract contract() {
        return contract;
    }

    public ReplicaTickets tickets() {
        return tickets;
    }

    /** Name of the replica that serves the tenant of a namespace; this one while that is undecided. */
    public String nameServing(String namespace) {
        return nameServing(directory, namespace);
    }

    /** The same, as one replica observes it. */
    public static String nameServing(ReplicaDirectory directory, String namespace) {
        String name = directory.servedBy(namespace);
        return name.isEmpty() ? directory.name() : name;
    }

    /** The operation, executed by the replica that serves its tenant; by this one if that does not answer. */
    public Operation forTenant(Operation local) {
        ContractOperation operation = contract.operation(local.id());
        boolean inBody = !operation.path().contains("{namespace}");
        return Operation.of(local.id(), call -> {
            String tenant = inBody ? call.body().path("tenant").asText() : call.path("namespace");
            // After a failure the Leases may already name another replica.
            for (String failed = ""; !call.isForwarded() && !directory.serves(tenant); ) {
                String replica = directory.servedBy(tenant);
                String url = directory.others().get(replica);
                if (url == null || replica.equals(failed)) {
                    break;
                }
                try {
                    return reply(send(operation, call, url, LONGEST));
                } catch (IOException e) {
                    logFailure(replica, call.requestId(), e);
                    failed = replica;
                }
            }
            return local.execute(call);
        });
    }

    /** Whether the tenant of a namespace belongs to no other replica, as far as this one knows. */
    public boolean belongsHere(String namespace) {
        String name = directory.servedBy(namespace);
        return name.isEmpty() || name.equals(directory.name()) || directory.serves(namespace);
    }

    /**
     * Sends a call to all other replicas, unless one of them sent it.
     *
     * @param own answer of this replica, computed meanwhile
     * @throws ApiProblem of a replica that rejects it
     */
    public <T> PeerAnswers<T> askAll(String operation, Call call, Class<T> type, Duration longest, OwnAnswer<T> own)
            throws ApiProblem {
        ContractOperation asked = contract.operation(operation);
        Map<String, String> others = call.isForwarded() ? Map.of() : directory.others();
        return askAll(others, call.requestId(), own, url -> {
            Object body = reply(send(asked, call, url, longest)).body();
            return ApiJson.client().treeToValue((JsonNode) body, type);
        });
    }

    /** Reads a path of all other replicas that only replicas may read. */
    public <T> PeerAnswers<T> readAll(String path, Class<T> type, Duration longest) throws ApiProblem {
        return askAll(directory.others(), "", null, url -> {
            PeerResponse response = send(new RequestOptions().setURI(path), "", Buffer.buffer(), url, longest);
            if (response.status() != 200) {
                throw new IOException("status " + response.status());
            }
            return ApiJson.server().readValue(response.body(), type);
        });
    }

    private <T> PeerAnswers<T> askAll(
            Map<String, String> others, String requestId, @Nullable OwnAnswer<T> own, AnswerReader<T> reader)
            throws ApiProblem {
        Map<String, Future<T>> asked = new TreeMap<>();
        others.forEach((replica, url) -> asked.put(replica, threads.submit(() -> reader.read(url))));
        List<T> answers = new ArrayList<>();
        if (own != null) {
            answers.add(own.answer());
        }
        List<String> unanswered = new ArrayList<>();
        for (Map.Entry<String, Future<T>> each : asked.entrySet()) {
            try {
                answers.add(each.getValue().get());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof ApiProblem problem) {
                    throw problem;
                }
                logFailure(each.getKey(), requestId, e.getCause());
                unanswered.add(each.getKey());
            } catch (InterruptedException e) {
                throw stopping();
            }
        }
        return new PeerAnswers<>(answers, unanswered);
    }

    private static ApiProblem stopping() {
        Thread.currentThread().interrupt();
        return ApiProblem.unavailable("the hub is stopping; retry to reach another replica", SOON);
    }

    private static void logFailure(String replica, String requestId, @Nullable Throwable failure) {
        LOG.atWarn()
                .addKeyValue("replica", replica)
                .addKeyValue("requestId", requestId)
                .addKeyValue("cause", failure == null ? "" : failure.getMessage())
                .log("Another replica did not answer");
    }

    private PeerResponse send(ContractOperation operation, Call call, String url, Duration longest)
            throws IOException, ApiProblem {
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.valueOf(operation.method()))
                .setURI(uri(operation, call))
                .putHeader("X-Request-Id", call.requestId());
        call.credentials().forEach(request::putHeader);
        Buffer body = Buffer.buffer();
        if (operation.hasBody()) {
            request.putHeader("Content-Type", "application/json");
            body.appendString(call.body().toString());
        }
        return send(request, call.address(), body, url, longest);
    }

    private static String uri(ContractOperation operation, Call call) {
        StringBuilder path = new StringBuilder(ApiContract.BASE + operation.path());
        StringJoiner query = new StringJoiner("&");
        for (ContractParameter parameter : operation.parameters()) {
            String name = parameter.name();
            if (parameter.in() == RequestPart.PATH) {
                int at = path.indexOf("{" + name + "}");
                path.replace(at, at + name.length() + 2, escape(call.path(name)));
            } else if (parameter.in() == RequestPart.QUERY) {
                List<String> values = call.queryList(name);
                if (!values.isEmpty()) {
                    query.add(name + "=" + escape(String.join(",", values)));
                }
            }
        }
        return query.length() == 0 ? path.toString() : path + "?" + query;
    }

    private static String escape(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    /** @param client address of the original client, for the limits of the other replica; empty without one */
    private PeerResponse send(RequestOptions request, String client, Buffer body, String url, Duration longest)
            throws IOException, ApiProblem {
        try {
            URI address = new URI(url);
            if (address.getHost() == null || address.getPort() < 0) {
                throw new IOException("its Lease has no URL");
            }
            String host = address.getHost().replaceAll("[\\[\\]]", "");
            // Pods are dialed by address; the certificate has the name of their Service.
            request.setServer(SocketAddress.inetSocketAddress(address.getPort(), host))
                    .setHost(certificate.serverName())
                    .setPort(address.getPort())
                    .setConnectTimeout(CONNECT.toMillis())
                    .setIdleTimeout(longest.toMillis())
                    .putHeader(ReplicaTickets.HEADER, tickets.issue(client));
            return client().request(request)
                    .compose(open -> open.send(body).compose(PeerReplicas::receive))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (URISyntaxException | ExecutionException | TimeoutException e) {
            throw new IOException(String.valueOf(e.getCause() == null ? e : e.getCause()), e);
        } catch (InterruptedException e) {
            throw stopping();
        }
    }

    private static io.vertx.core.Future<PeerResponse> receive(HttpClientResponse response) {
        Promise<PeerResponse> whole = Promise.promise();
        Buffer body = Buffer.buffer();
        response.exceptionHandler(whole::tryFail);
        response.handler(piece -> {
            if (body.length() + piece.length() > LARGEST_ANSWER) {
                whole.tryFail("more than " + LARGEST_ANSWER + " bytes");
                response.request().reset();
            } else {
                body.appendBuffer(piece);
            }
        });
        response.endHandler(end -> whole.tryComplete(new PeerResponse(
                response.statusCode(),
                response.getHeader("ETag"),
                response.getHeader("Retry-After"),
                body.getBytes())));
        return whole.future();
    }

    private synchronized HttpClient client() throws IOException {
        if (client == null) {
            if (certificate.trusted().isEmpty()) {
                throw new IOException("no certificate is loaded");
            }
            client = vertx.createHttpClient(new HttpClientOptions()
                    .setSsl(true)
                    .setTrustOptions(trust())
                    .setVerifyHost(true)
                    .setMaxPoolSize(CONNECTIONS)
                    .setKeepAliveTimeout(KEEP_ALIVE_SECONDS));
        }
        return client;
    }

    private PemTrustOptions trust() {
        return new PemTrustOptions().addCertValue(Buffer.buffer(certificate.trusted()));
    }

    private synchronized void updateTrust() {
        if (client != null) {
            client.updateSSLOptions(new SSLOptions().setTrustOptions(trust()))
                    .onFailure(fault -> LOG.error("Trusting the renewed certificate failed", fault));
        }
    }

    /** The same reply, or the same problem unless another replica may have another answer. */
    private static Reply reply(PeerResponse response) throws IOException, ApiProblem {
        if (response.status() < 300) {
            Reply reply = Reply.ok(ApiJson.server().readTree(response.body()));
            return response.etag() == null ? reply : reply.withHeader("ETag", response.etag());
        }
        ProblemDetails details = ApiJson.client().readValue(response.body(), ProblemDetails.class);
        if (response.status() == UNAUTHENTICATED || response.status() >= 500) {
            throw new IOException(response.status() + " " + details.detail());
        }
        throw problem(response, details);
    }

    private static ApiProblem problem(PeerResponse response, ProblemDetails details) {
        ProblemType type = Arrays.stream(ProblemType.values())
                .filter(each -> each.uri().equals(details.type()))
                .findFirst()
                .orElse(ProblemType.BAD_REQUEST);
        List<RequestError> errors = NullableCollections.stream(details.errors())
                .map(error -> new RequestError(
                        error.in() == null
                                ? null
                                : RequestPart.valueOf(error.in().name()),
                        Objects.requireNonNullElse(error.pointer(), ""),
                        Objects.requireNonNullElse(error.field(), ""),
                        error.reason(),
                        error.detail(),
                        Objects.requireNonNullElse(error.cure(), "")))
                .toList();
        ApiProblem problem = ApiProblem.of(type, Objects.requireNonNullElse(details.detail(), ""), errors)
                .status(response.status());
        return response.retryAfter() == null
                ? problem
                : problem.retryAfter(Duration.ofSeconds(Long.parseLong(response.retryAfter())));
    }
}

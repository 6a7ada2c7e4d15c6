package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.tenancy.client.ServerAccess.Authentication;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.RequestAttribution;
import io.osmhub.workersync.apiserver.RequestListener;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.ResponseBuffer;
import io.osmhub.workersync.apiserver.ResponseBuffer.MemoryReserver;
import io.osmhub.workersync.apiserver.Verb;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Requests and watches over fabric8's HTTP client. Messages contain no object content and no credential. */
final class Fabric8KubeApi implements KubeApi {
    private static final int READABLE_REFUSAL = 64 * 1024;

    private final HttpClient http;
    private final ServerAccess access;
    private final ClientLimits limits;
    private final ReceiveLimits receiving;
    private final RequestObserver observer;
    private final @Nullable ConcurrencyLimiter budget;
    private final String agent;
    private volatile @Nullable CertificateFailure tlsRefusal;

    /**
     * @param budget of the server; null for a client that sends immediately and returns a 429 to its caller
     * @param agent User-Agent of all requests
     */
    Fabric8KubeApi(
            HttpClient http,
            ServerAccess access,
            ClientLimits limits,
            ReceiveLimits receiving,
            RequestObserver observer,
            @Nullable ConcurrencyLimiter budget,
            String agent) {
        this.http = http;
        this.access = access;
        this.limits = limits;
        this.receiving = receiving;
        this.observer = observer;
        this.budget = budget;
        this.agent = agent;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        return exchange(request).body();
    }

    /** As {@link #send}, with the server's time. */
    ApiResponse exchange(ApiRequest request) throws ApiFailure {
        RequestListener listener = RequestAttribution.currentListener();
        return budgeted(listener == null ? () -> sendOnce(request) : () -> sendNotifying(request, listener));
    }

    <T> T budgeted(ConcurrencyLimiter.RequestAttempt<T> attempt) throws ApiFailure {
        return budget == null ? attempt.send() : budget.send(attempt, limits.requestTimeout());
    }

    /** Reports every request sent, including retries. */
    private ApiResponse sendNotifying(ApiRequest request, RequestListener listener) throws ApiFailure {
        long begun = System.nanoTime();
        try {
            ApiResponse reading = sendOnce(request);
            listener.onResponse(request, reading.status(), null, since(begun));
            return reading;
        } catch (ApiFailure failure) {
            listener.onResponse(request, failure.code(), failure, since(begun));
            throw failure;
        }
    }

    private ApiResponse sendOnce(ApiRequest request) throws ApiFailure {
        return WriteFence.sendCurrentWrite(() ->
                sendOnce(request.verb(), request.resource(), request.uri(), request.contentType(), request.body()));
    }

    /** Reads a non-resource path, such as {@code /version}. */
    ApiResponse read(String path) throws ApiFailure {
        return budgeted(() -> readOnce(path));
    }

    /** As {@link #read}, but bypasses the budget: every rejection is the server's. */
    ApiResponse readOnce(String path) throws ApiFailure {
        return sendOnce(Verb.GET, null, path, "", null);
    }

    private ApiResponse sendOnce(
            Verb verb, @Nullable Resource resource, String uri, String contentType, @Nullable String body)
            throws ApiFailure {
        long begun = System.nanoTime();
        try {
            ApiResponse reading = answer(request(verb, uri, contentType, body).build());
            observer.onFinished(verb, resource, null, since(begun));
            return reading;
        } catch (ApiFailure failure) {
            observer.onFinished(verb, resource, failure, since(begun));
            throw failure;
        }
    }

    private ApiResponse answer(HttpRequest request) throws ApiFailure {
        ResponseCollector collector = new ResponseCollector(limits.answerBytes(), receiving.share());
        try {
            HttpResponse<AsyncBody> head = awaitHeaders(request, collector);
            try {
                head.body().consume();
                head.body().done().get();
            } catch (InterruptedException e) {
                head.body().cancel();
                throw e;
            } catch (ExecutionException | CancellationException e) {
                collector.check();
                throw e;
            }
            collector.check();
            return read(head, collector.bytes());
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException | CancellationException e) {
            throw failureOf(e);
        } finally {
            collector.close();
        }
    }

    /** If the wait is interrupted, a response that still comes is cancelled: nothing would read it. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure needs no cancellation
    private HttpResponse<AsyncBody> awaitHeaders(HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer)
            throws InterruptedException, ExecutionException {
        CompletableFuture<HttpResponse<AsyncBody>> headers = http.consumeBytes(request, consumer);
        try {
            return headers.get();
        } catch (InterruptedException e) {
            headers.thenAccept(late -> late.body().cancel());
            throw e;
        }
    }

    static ApiFailure interrupted() {
        Thread.currentThread().interrupt();
        return ApiFailure.withoutResponse(ApiFailureKind.CLOSED, "cancelled by the hub");
    }

    @Override
    public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
        try {
            receiving.lists().acquire();
        } catch (InterruptedException e) {
            throw interrupted();
        }
        try {
            // Receiving takes as long as this tenant's server takes: only the request counts for other tenants.
            return received(request, budgeted(() -> begin(request)), items);
        } finally {
            receiving.lists().release();
        }
    }

    /** A list whose headers were received. */
    private record StartedList(HttpResponse<AsyncBody> head, ListResponseReader incoming, long begunNanos) {}

    private StartedList begin(ApiRequest request) throws ApiFailure {
        long begun = System.nanoTime();
        HttpRequest streaming =
                request(request.verb(), request.uri(), "", null).forStreaming().build();
        ListResponseReader incoming = new ListResponseReader();
        try {
            HttpResponse<AsyncBody> head = awaitHeaders(streaming, incoming);
            if (!HttpResponse.isSuccessful(head.code())) {
                throw refusal(head, refused(head, incoming));
            }
            if (!isJson(head)) {
                head.body().cancel();
                throw notAnApiServer(head);
            }
            return new StartedList(head, incoming, begun);
        } catch (ApiFailure failure) {
            throw reportList(request, failure, begun);
        } catch (ExecutionException | CancellationException | IOException e) {
            throw reportList(request, failureOf(e), begun);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private byte[] received(ApiRequest request, StartedList list, ItemSplitter.ItemHandler items)
            throws ApiFailure, IOException {
        ItemSplitter splitter = new ItemSplitter(
                limits.lineBytes(),
                receiving.share(),
                (share, bytes) -> receiving.tryReserve(bytes, limits.requestTimeout()),
                items);
        try {
            list.incoming.read(list.head, receiving.decoding(), limits.requestTimeout(), splitter::add);
            byte[] rest = splitter.remainder();
            reportList(request, list.head.code(), null, since(list.begunNanos));
            return rest;
        } catch (ApiFailure failure) {
            throw reportList(request, failure, list.begunNanos);
        } catch (ExecutionException | CancellationException e) {
            throw reportList(request, failureOf(e), list.begunNanos);
        } catch (IOException e) {
            reportList(
                    request,
                    ApiFailure.withoutResponse(ApiFailureKind.UNREADABLE, "unexpected response: not a list of objects"),
                    list.begunNanos);
            throw e;
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            splitter.clear();
        }
    }

    private ApiFailure failureOf(Exception e) {
        return failure(e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e);
    }

    private ApiFailure reportList(ApiRequest request, ApiFailure failure, long begunNanos) {
        reportList(request, failure.code(), failure, since(begunNanos));
        return failure;
    }

    private void reportList(ApiRequest request, int status, @Nullable ApiFailure failure, Duration took) {
        observer.onFinished(request.verb(), request.resource(), failure, took);
        RequestListener listener = RequestAttribution.currentListener();
        if (listener != null) {
            listener.onResponse(request, status, failure, took);
        }
    }

    private byte[] refused(HttpResponse<AsyncBody> head, ListResponseReader incoming)
            throws IOException, InterruptedException, ExecutionException {
        ResponseBuffer body =
                new ResponseBuffer("an error response", READABLE_REFUSAL, receiving.share(), MemoryReserver.AT_ONCE);
        try {
            incoming.read(
                    head,
                    receiving.decoding(),
                    limits.requestTimeout(),
                    piece -> body.append(piece, piece.remaining()));
            return body.soFar();
        } catch (ApiFailure incomplete) {
            // The code is known, and matters more than the rest of the message.
            return body.soFar();
        } finally {
            body.clear();
        }
    }

    private ApiResponse read(HttpResponse<AsyncBody> head, byte[] body) throws ApiFailure {
        if (!HttpResponse.isSuccessful(head.code())) {
            throw refusal(head, body);
        }
        if (body.length > 0 && !isJson(head)) {
            throw notAnApiServer(head);
        }
        return new ApiResponse(head.code(), body, head.header("Date"));
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        HttpRequest streaming =
                request(request.verb(), request.uri(), "", null).forStreaming().build();
        StreamingWatch watch = new StreamingWatch(
                this,
                request,
                lines,
                new ResponseBuffer("an event", limits.lineBytes(), receiving.share(), MemoryReserver.AT_ONCE));
        watch.begin(http, streaming);
        return watch;
    }

    private HttpRequest.Builder request(Verb verb, String uri, String contentType, @Nullable String body) {
        // Without the library's timeout, whose timers share one process-wide queue and lock. The transport has its own.
        HttpRequest.Builder request = http.newHttpRequestBuilder()
                .uri(access.server().getScheme() + "://" + access.server().getRawAuthority() + access.basePath() + uri)
                .header("Accept", "application/json")
                .header("User-Agent", agent);
        if (access.authentication() instanceof Authentication.Token(var token)) {
            request.setHeader("Authorization", "Bearer " + token.reveal());
        }
        return body == null
                ? request.method(verb.method(), null, (String) null)
                : request.method(verb.method(), contentType, body);
    }

    ApiFailure refusal(HttpResponse<AsyncBody> head, byte[] body) {
        String retryAfter = head.header("Retry-After");
        Instant serverTime = retryAfter == null ? null : ErrorResponses.date(head.header("Date"));
        ApiFailure failure =
                ErrorResponses.of(head.code(), body, retryAfter, serverTime == null ? Instant.now() : serverTime);
        return new ApiFailure(
                failure.kind(), failure.code(), redact(failure.reason()), redact(failure.text()), failure.retryAfter());
    }

    /** Some servers repeat what they were sent in their messages. */
    String redact(String text) {
        return access.authentication() instanceof Authentication.Token(var token)
                ? CredentialRedactor.redact(text, token)
                : text;
    }

    ApiFailure failure(Throwable thrown) {
        CertificateFailure refused = TransportFailures.certificateFailure(thrown);
        if (refused != null) {
            tlsRefusal = refused;
        }
        return TransportFailures.of(thrown, http.isClosed());
    }

    static boolean isJson(HttpResponse<AsyncBody> head) {
        String type = head.header("Content-Type");
        return type != null && type.startsWith("application/json");
    }

    ApiFailure notAnApiServer(HttpResponse<AsyncBody> head) {
        String type = head.header("Content-Type");
        return ApiFailure.withoutResponse(
                ApiFailureKind.UNREADABLE,
                "unexpected content type: " + (type == null ? "none" : redact(MessageFormatter.quote(type)))
                        + ", expected JSON from a Kubernetes API server");
    }

    void reportWatch(ApiRequest request, @Nullable ApiFailure failure, long begunNanos) {
        observer.onFinished(request.verb(), request.resource(), failure, since(begunNanos));
    }

    static Duration since(long begunNanos) {
        return Duration.ofNanos(System.nanoTime() - begunNanos);
    }

    /** Why the server's certificate was last rejected; null if it never was. */
    @Nullable CertificateFailure lastCertificateFailure() {
        return tlsRefusal;
    }

    ResponseCollector collectorOfRefusal() {
        return new ResponseCollector(READABLE_REFUSAL, receiving.share());
    }

    /** Collects a response on the event loop; read and closed by the waiting thread. */
    static final class ResponseCollector implements AsyncBody.Consumer<List<ByteBuffer>> {
        private final ResponseBuffer bytes;
        private @Nullable ApiFailure failure;
        private boolean closed;

        ResponseCollector(int most, MemoryBudget.MemoryShare share) {
            this.bytes = new ResponseBuffer("the response", most, share, MemoryReserver.AT_ONCE);
        }

        @Override
        public synchronized void consume(List<ByteBuffer> chunks, AsyncBody body) {
            if (closed) {
                return;
            }
            try {
                for (ByteBuffer chunk : chunks) {
                    bytes.append(chunk, chunk.remaining());
                }
                body.consume();
            } catch (ApiFailure tooMuch) {
                failure = tooMuch;
                closed = true;
                body.cancel();
            }
        }

        /** Throws if the limit was exceeded. */
        synchronized void check() throws ApiFailure {
            if (failure != null) {
                throw failure;
            }
        }

        synchronized byte[] bytes() {
            return bytes.soFar();
        }

        /** Releases the memory. */
        synchronized void close() {
            closed = true;
            bytes.clear();
        }
    }
}

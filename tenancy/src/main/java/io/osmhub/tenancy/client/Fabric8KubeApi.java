package io.osmhub.tenancy.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.impl.KubernetesClientImpl;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ErrorResponses;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.RequestAttribution;
import io.osmhub.workersync.apiserver.RequestListener;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.apiserver.WriteGuard;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Requests and watches over fabric8's HTTP client. Messages contain no object content and no credential. */
final class Fabric8KubeApi implements KubeApi {
    private static final String NO_SERVER = "https://server.invalid";

    private final HttpClient http;
    private final ServerAccess access;
    private final TransportOptions options;
    /** One permit for each concurrent list of the server. */
    private final Semaphore lists;

    private final Semaphore decoding;
    private final @Nullable ConcurrencyLimiter concurrencyLimiter;
    private volatile @Nullable KubernetesClient typed;

    /**
     * @param options of the transport, which reports requests to the observer, except lists: those may fail while they are read
     * @param decoding shared by all worker clusters, fair: lists take turns chunk by chunk, and leave processors for other work
     * @param concurrencyLimiter of the server; null for a client that sends immediately and returns a 429 to its caller
     */
    Fabric8KubeApi(
            HttpClient http,
            ServerAccess access,
            TransportOptions options,
            Semaphore decoding,
            @Nullable ConcurrencyLimiter concurrencyLimiter) {
        this.http = http;
        this.access = access;
        this.options = options;
        this.lists = new Semaphore(options.limits().lists(), true);
        this.decoding = decoding;
        this.concurrencyLimiter = concurrencyLimiter;
    }

    private Fabric8KubeApi(HttpClient http, Fabric8KubeApi other) {
        this.http = http;
        this.access = other.access;
        this.options = other.options;
        this.lists = other.lists;
        this.decoding = other.decoding;
        this.concurrencyLimiter = other.concurrencyLimiter;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        RequestListener listener = RequestAttribution.currentListener();
        return budgeted(listener == null ? () -> sendOnce(request) : () -> sendNotifying(request, listener))
                .body();
    }

    <T> T budgeted(ConcurrencyLimiter.RequestAttempt<T> attempt) throws ApiFailure {
        return concurrencyLimiter == null
                ? attempt.send()
                : concurrencyLimiter.send(attempt, options.limits().requestTimeout());
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
        String uri = request.withFieldManager(options.fieldManager()).uri();
        return answer(request(request.verb(), uri, request.contentType(), request.body())
                .build());
    }

    /** Reads a non-resource path, such as {@code /version}. */
    ApiResponse read(String path) throws ApiFailure {
        return budgeted(() -> readOnce(path));
    }

    /** As {@link #read}, but bypasses the budget: every rejection is the server's. */
    ApiResponse readOnce(String path) throws ApiFailure {
        return answer(request(Verb.GET, path, "", null).build());
    }

    private ApiResponse answer(HttpRequest request) throws ApiFailure {
        ResponseCollector collector = new ResponseCollector();
        try {
            HttpResponse<AsyncBody> head = awaitHeaders(request, collector);
            try {
                head.body().consume();
                head.body().done().get();
            } catch (InterruptedException e) {
                head.body().cancel();
                throw e;
            }
            return read(head, collector.bytes());
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException | CancellationException e) {
            throw failureOf(e);
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
            lists.acquire();
        } catch (InterruptedException e) {
            throw interrupted();
        }
        try {
            // Receiving takes as long as this tenant's server takes: only the request counts for other tenants.
            return received(request, budgeted(() -> begin(request)), items);
        } finally {
            lists.release();
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
                // Fails with the error response, which the transport collects.
                head.body().done().get();
            }
            return new StartedList(head, incoming, begun);
        } catch (ExecutionException | CancellationException e) {
            throw reportList(request, failureOf(e), begun);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private byte[] received(ApiRequest request, StartedList list, ItemSplitter.ItemHandler items)
            throws ApiFailure, IOException {
        ItemSplitter splitter = ItemSplitter.ofList(
                options.limits().lineBytes(),
                options.share(),
                (share, bytes) ->
                        tryReserve(share, bytes, decoding, options.limits().requestTimeout()),
                items);
        try {
            list.incoming.read(list.head, decoding, options.limits().requestTimeout(), splitter::add);
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

    /** Reserves memory for a chunk that is decoded. Waits without holding the permit to decode. */
    static boolean tryReserve(MemoryBudget.MemoryShare share, long bytes, Semaphore decoding, Duration patience)
            throws InterruptedException {
        if (share.tryReserve(bytes)) {
            return true;
        }
        decoding.release();
        try {
            return share.tryReserve(bytes, patience);
        } finally {
            decoding.acquireUninterruptibly();
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
        options.requests().onFinished(request.verb(), request.resource(), failure, took);
        RequestListener listener = RequestAttribution.currentListener();
        if (listener != null) {
            listener.onResponse(request, status, failure, took);
        }
    }

    private ApiResponse read(HttpResponse<AsyncBody> head, byte[] body) throws ApiFailure {
        if (!HttpResponse.isSuccessful(head.code())) {
            throw ErrorResponses.of(head, head.code(), body, access::redact);
        }
        return new ApiResponse(head.code(), body, head.header("Date"));
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        HttpRequest streaming =
                request(request.verb(), request.uri(), "", null).forStreaming().build();
        StreamingWatch watch = new StreamingWatch(this, request, lines, options);
        watch.begin(http, streaming);
        return watch;
    }

    private HttpRequest.Builder request(Verb verb, String uri, String contentType, @Nullable String body) {
        // Without the library's timeout, whose timers share one process-wide queue and lock. The transport has its own.
        HttpRequest.Builder request =
                http.newHttpRequestBuilder().uri(NO_SERVER + uri).header("Accept", "application/json");
        return body == null
                ? request.method(verb.method(), null, (String) null)
                : request.method(verb.method(), contentType, body);
    }

    @Override
    public <T extends @Nullable Object> T call(Function<KubernetesClient, T> request) throws ApiFailure {
        KubernetesClient client = typedClient();
        return this.<T>budgeted(() -> KubeApi.call(client, access::redact, request));
    }

    private KubernetesClient typedClient() {
        KubernetesClient known = typed;
        if (known == null) {
            known = new TypedClient(http);
            typed = known;
        }
        return known;
    }

    /** fabric8's client over this HTTP client. All share its tables of kinds, which take 9.6 kB, and a configuration. */
    private static final class TypedClient extends KubernetesClientImpl {
        /** Reads nothing, and names no server: the transport has its own. */
        @SuppressWarnings("NullAway") // sends nothing
        private static final KubernetesClientImpl TEMPLATE = new KubernetesClientImpl(
                null,
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(NO_SERVER)
                        .withRequestRetryBackoffLimit(0)
                        .withRequestTimeout(0)
                        .build(),
                () -> Runnable::run,
                new KubernetesSerialization(new ObjectMapper(), false));

        TypedClient(HttpClient http) {
            super(TEMPLATE);
            this.httpClient = http;
        }
    }

    @Override
    public KubeApi guardedBy(WriteGuard guard) {
        return new Fabric8KubeApi(WriteGuard.guarded(http, guard), this);
    }

    String redact(String text) {
        return access.redact(text);
    }

    ApiFailure failure(Throwable thrown) {
        return TransportFailures.of(thrown, http.isClosed());
    }

    static Duration since(long begunNanos) {
        return Duration.ofNanos(System.nanoTime() - begunNanos);
    }

    /** Collects a response on the event loop, within the transport's limits; read by the waiting thread. */
    private static final class ResponseCollector implements AsyncBody.Consumer<List<ByteBuffer>> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public synchronized void consume(List<ByteBuffer> chunks, AsyncBody body) {
            for (ByteBuffer chunk : chunks) {
                bytes.write(chunk.array(), chunk.arrayOffset() + chunk.position(), chunk.remaining());
            }
            body.consume();
        }

        synchronized byte[] bytes() {
            return bytes.toByteArray();
        }
    }
}

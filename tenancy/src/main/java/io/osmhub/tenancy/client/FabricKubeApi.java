package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.osmhub.core.problem.Message;
import io.osmhub.tenancy.client.ServerAccess.SignIn;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.Cause;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.HeardWork;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.ReceivedBytes;
import io.osmhub.workersync.apiserver.ReceivedBytes.Taking;
import io.osmhub.workersync.apiserver.RequestListener;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Requests and watches over fabric8's HTTP client. Names no object's content and no credential in any message. */
final class FabricKubeApi implements KubeApi {
    private static final int READABLE_REFUSAL = 64 * 1024;
    private static final String AGENT = "osm-hub";

    private final HttpClient http;
    private final ServerAccess access;
    private final ClientLimits limits;
    private final Receiving receiving;
    private final RequestObserver observer;
    private final @Nullable ServerBudget budget;
    private volatile @Nullable TlsRefusal tlsRefusal;

    /** @param budget of the server; null for a client that sends at once and answers a 429 to its caller */
    FabricKubeApi(
            HttpClient http,
            ServerAccess access,
            ClientLimits limits,
            Receiving receiving,
            RequestObserver observer,
            @Nullable ServerBudget budget) {
        this.http = http;
        this.access = access;
        this.limits = limits;
        this.receiving = receiving;
        this.observer = observer;
        this.budget = budget;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        return exchange(request).body();
    }

    /** As {@link #send}, with the time that the server told. */
    Reading exchange(ApiRequest request) throws ApiFailure {
        RequestListener listener = HeardWork.listener();
        return budgeted(listener == null ? () -> once(request) : () -> heard(request, listener));
    }

    <T> T budgeted(ServerBudget.Attempt<T> attempt) throws ApiFailure {
        return budget == null ? attempt.send() : budget.send(attempt, limits.requestTimeout());
    }

    /** Only what was sent is heard of, each time that it was. */
    private Reading heard(ApiRequest request, RequestListener listener) throws ApiFailure {
        long begun = System.nanoTime();
        try {
            Reading reading = once(request);
            listener.answered(request, reading.status(), null, since(begun));
            return reading;
        } catch (ApiFailure failure) {
            listener.answered(request, failure.code(), failure, since(begun));
            throw failure;
        }
    }

    private Reading once(ApiRequest request) throws ApiFailure {
        return once(request.verb(), request.resource(), request.uri(), request.contentType(), request.body());
    }

    /** Reads a path that belongs to no resource, such as {@code /version}. */
    Reading read(String path) throws ApiFailure {
        return budgeted(() -> readOnce(path));
    }

    /** As {@link #read}, but waits for no budget: every refusal is the server's. */
    Reading readOnce(String path) throws ApiFailure {
        return once(Verb.GET, null, path, "", null);
    }

    private Reading once(Verb verb, @Nullable Resource resource, String uri, String contentType, @Nullable String body)
            throws ApiFailure {
        long begun = System.nanoTime();
        try {
            Reading reading = answer(request(verb, uri, contentType, body).build());
            observer.finished(verb, resource, null, since(begun));
            return reading;
        } catch (ApiFailure failure) {
            observer.finished(verb, resource, failure, since(begun));
            throw failure;
        }
    }

    private Reading answer(HttpRequest request) throws ApiFailure {
        Collector collector = new Collector(limits.answerBytes(), receiving.share());
        try {
            HttpResponse<AsyncBody> head = http.consumeBytes(request, collector).get();
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

    static ApiFailure interrupted() {
        Thread.currentThread().interrupt();
        return ApiFailure.noAnswer(Cause.CLOSED, "given up by the hub");
    }

    @Override
    public byte[] list(ApiRequest request, ItemSplitter.Items items) throws ApiFailure, IOException {
        try {
            receiving.lists().acquire();
        } catch (InterruptedException e) {
            throw interrupted();
        }
        try {
            // Its items take as long as this tenant's server sends them: only the request counts for the others.
            return received(request, budgeted(() -> begin(request)), items);
        } finally {
            receiving.lists().release();
        }
    }

    /** A list whose head was received. */
    private record BegunList(HttpResponse<AsyncBody> head, IncomingList incoming, long begunNanos) {}

    private BegunList begin(ApiRequest request) throws ApiFailure {
        long begun = System.nanoTime();
        HttpRequest streaming =
                request(request.verb(), request.uri(), "", null).forStreaming().build();
        IncomingList incoming = new IncomingList();
        try {
            HttpResponse<AsyncBody> head =
                    http.consumeBytes(streaming, incoming).get();
            if (!HttpResponse.isSuccessful(head.code())) {
                throw refusal(head, refused(head, incoming));
            }
            if (!isJson(head)) {
                head.body().cancel();
                throw notAnApiServer(head);
            }
            return new BegunList(head, incoming, begun);
        } catch (ApiFailure failure) {
            throw listed(request, failure, begun);
        } catch (ExecutionException | CancellationException | IOException e) {
            throw listed(request, failureOf(e), begun);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private byte[] received(ApiRequest request, BegunList list, ItemSplitter.Items items)
            throws ApiFailure, IOException {
        ItemSplitter splitter = new ItemSplitter(
                limits.lineBytes(),
                receiving.share(),
                (share, bytes) -> receiving.take(bytes, limits.requestTimeout()),
                items);
        try {
            list.incoming.read(list.head, receiving.decoding(), limits.requestTimeout(), splitter::add);
            byte[] rest = splitter.rest();
            listed(request, list.head.code(), null, since(list.begunNanos));
            return rest;
        } catch (ApiFailure failure) {
            throw listed(request, failure, list.begunNanos);
        } catch (ExecutionException | CancellationException e) {
            throw listed(request, failureOf(e), list.begunNanos);
        } catch (IOException e) {
            listed(
                    request,
                    ApiFailure.noAnswer(Cause.UNREADABLE, "unexpected response: not a list of objects"),
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

    private ApiFailure listed(ApiRequest request, ApiFailure failure, long begunNanos) {
        listed(request, failure.code(), failure, since(begunNanos));
        return failure;
    }

    private void listed(ApiRequest request, int status, @Nullable ApiFailure failure, Duration took) {
        observer.finished(request.verb(), request.resource(), failure, took);
        RequestListener listener = HeardWork.listener();
        if (listener != null) {
            listener.answered(request, status, failure, took);
        }
    }

    private byte[] refused(HttpResponse<AsyncBody> head, IncomingList incoming)
            throws IOException, InterruptedException, ExecutionException {
        ReceivedBytes body = new ReceivedBytes("a refusal", READABLE_REFUSAL, receiving.share(), Taking.AT_ONCE);
        try {
            incoming.read(
                    head, receiving.decoding(), limits.requestTimeout(), piece -> body.add(piece, piece.remaining()));
            return body.soFar();
        } catch (ApiFailure incomplete) {
            // Its code is known, and matters more than the rest of its message.
            return body.soFar();
        } finally {
            body.clear();
        }
    }

    private Reading read(HttpResponse<AsyncBody> head, byte[] body) throws ApiFailure {
        if (!HttpResponse.isSuccessful(head.code())) {
            throw refusal(head, body);
        }
        if (body.length > 0 && !isJson(head)) {
            throw notAnApiServer(head);
        }
        return new Reading(head.code(), body, Refusals.date(head.header("Date")));
    }

    @Override
    public Watch watch(ApiRequest request, WatchLines lines) {
        HttpRequest streaming =
                request(request.verb(), request.uri(), "", null).forStreaming().build();
        RunningWatch watch = new RunningWatch(
                this,
                request,
                lines,
                new ReceivedBytes("an event", limits.lineBytes(), receiving.share(), Taking.AT_ONCE));
        watch.begin(http, streaming);
        return watch;
    }

    private HttpRequest.Builder request(Verb verb, String uri, String contentType, @Nullable String body) {
        // Without a time limit of the library's: its alarms are one queue for the whole process, under one lock. The
        // transport has its own.
        HttpRequest.Builder request = http.newHttpRequestBuilder()
                .uri(access.server().getScheme() + "://" + access.server().getRawAuthority() + access.basePath() + uri)
                .header("Accept", "application/json")
                .header("User-Agent", AGENT);
        if (access.signIn() instanceof SignIn.Token(var token)) {
            request.setHeader("Authorization", "Bearer " + token.reveal());
        }
        return body == null
                ? request.method(verb.method(), null, (String) null)
                : request.method(verb.method(), contentType, body);
    }

    ApiFailure refusal(HttpResponse<AsyncBody> head, byte[] body) {
        Instant serverTime = Refusals.date(head.header("Date"));
        ApiFailure failure = Refusals.of(
                head.code(), body, head.header("Retry-After"), serverTime == null ? Instant.now() : serverTime);
        return new ApiFailure(
                failure.why(),
                failure.code(),
                withoutCredential(failure.reason()),
                withoutCredential(failure.text()),
                failure.retryAfter());
    }

    /** Some servers repeat in their message what they were sent. */
    String withoutCredential(String text) {
        return access.signIn() instanceof SignIn.Token(var token) ? CredentialRedactor.redact(text, token) : text;
    }

    ApiFailure failure(Throwable thrown) {
        TlsRefusal refused = Failures.tlsRefusal(thrown);
        if (refused != null) {
            tlsRefusal = refused;
        }
        return Failures.of(thrown, http.isClosed());
    }

    static boolean isJson(HttpResponse<AsyncBody> head) {
        String type = head.header("Content-Type");
        return type != null && type.startsWith("application/json");
    }

    ApiFailure notAnApiServer(HttpResponse<AsyncBody> head) {
        String type = head.header("Content-Type");
        return ApiFailure.noAnswer(
                Cause.UNREADABLE,
                "answered with " + (type == null ? "no type" : withoutCredential(Message.clean(type)))
                        + " instead of JSON, so it is not a Kubernetes API server");
    }

    void watchAnswered(ApiRequest request, @Nullable ApiFailure failure, long begunNanos) {
        observer.finished(request.verb(), request.resource(), failure, since(begunNanos));
    }

    static Duration since(long begunNanos) {
        return Duration.ofNanos(System.nanoTime() - begunNanos);
    }

    /** Why the server's certificate was last refused; null when it never was. */
    @Nullable TlsRefusal lastTlsRefusal() {
        return tlsRefusal;
    }

    Collector collectorOfRefusal() {
        return new Collector(READABLE_REFUSAL, receiving.share());
    }

    /** Gathers an answer on the event loop; read and closed by the thread that waits for it. */
    static final class Collector implements AsyncBody.Consumer<List<ByteBuffer>> {
        private final ReceivedBytes bytes;
        private @Nullable ApiFailure failure;
        private boolean closed;

        Collector(int most, MemoryBudget.Share share) {
            this.bytes = new ReceivedBytes("the answer", most, share, Taking.AT_ONCE);
        }

        @Override
        public synchronized void consume(List<ByteBuffer> chunks, AsyncBody body) {
            if (closed) {
                return;
            }
            try {
                for (ByteBuffer chunk : chunks) {
                    bytes.add(chunk, chunk.remaining());
                }
                body.consume();
            } catch (ApiFailure tooMuch) {
                failure = tooMuch;
                closed = true;
                body.cancel();
            }
        }

        /** Fails when there was more than could be taken. */
        synchronized void check() throws ApiFailure {
            if (failure != null) {
                throw failure;
            }
        }

        synchronized byte[] bytes() {
            return bytes.soFar();
        }

        /** Gives the memory back. */
        synchronized void close() {
            closed = true;
            bytes.clear();
        }
    }
}

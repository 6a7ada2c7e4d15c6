package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ErrorResponses;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.RequestInfo;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.apiserver.WriteGuard;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.HostAndPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response. Apart from its start and {@link #cancel()} it is confined to the connection's event loop.
 *
 * <p>A streaming request delivers one chunk at a time, and its deadline is for the first byte. Any other response is collected as
 * a whole anyway, so its chunks are delivered immediately, and the deadline is for the last. Backpressure would also lose
 * responses: after a GOAWAY, Vert.x 4.5.27 reports each ending stream as broken before delivering what is held back.
 */
final class TransportExchange implements AsyncBody {
    private static final long CANCEL = 8;
    private static final long NO_TIMER = -1;
    private static final int NOT_FOUND = 404;

    private final ServerConnection serverConnection;
    private final StandardHttpRequest request;
    private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
    private final CompletableFuture<HttpResponse<AsyncBody>> answered = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    private final RequestInfo info;
    /** Null if nothing decides about this request. */
    private final @Nullable WriteGuard guard;

    private final long begunNanos = System.nanoTime();
    private boolean guarded;
    private boolean reported;
    private @Nullable StreamedResponse startedResponse;
    /** Bytes of the response that are reserved. */
    private long reserved;
    /** Body of an error response; later ones are ignored. */
    private final ByteArrayOutputStream error = new ByteArrayOutputStream(0);

    private long timer = NO_TIMER;
    private @Nullable HttpClientRequest sent;
    // Only for a streaming request. Read by consume(), which any thread may call once the response has begun.
    private volatile @Nullable HttpClientResponse answer;
    private boolean over;

    TransportExchange(
            ServerConnection serverConnection,
            @Nullable WriteGuard guard,
            StandardHttpRequest request,
            AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        this.serverConnection = serverConnection;
        this.guard = guard;
        this.request = request;
        URI uri = request.uri();
        this.info = RequestInfo.of(request.method(), uri.getRawPath(), uri.getRawQuery());
        this.consumer = consumer;
    }

    CompletableFuture<HttpResponse<AsyncBody>> begin() {
        serverConnection.context().runOnContext(now -> connect());
        return answered;
    }

    private void connect() {
        // Without its scheme and authority: a credential must not reach any other server.
        URI uri = request.uri();
        Duration timeout = serverConnection.limits().requestTimeout();
        timer = serverConnection.vertx().setTimer(Math.max(1, timeout.toMillis()), late -> {
            fail(new SocketTimeoutException("no response within " + timeout.toMillis() + " ms"));
            reset();
        });
        RequestOptions options = serverConnection
                .target()
                .setMethod(HttpMethod.valueOf(request.method()))
                .setURI(serverConnection.access().basePath()
                        + (uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery()));
        request.headers().forEach((name, values) -> values.forEach(value -> options.addHeader(name, value)));
        options.putHeader("User-Agent", serverConnection.options().agent());
        if (serverConnection.access().authentication() instanceof ServerAccess.Authentication.Token(var token)) {
            options.putHeader("Authorization", "Bearer " + token.reveal());
        }
        if (request.getContentType() != null && request.header("Content-Type") == null) {
            options.addHeader("Content-Type", request.getContentType());
        }
        open(options);
    }

    private void open(RequestOptions options) {
        HttpClient http = serverConnection.http();
        Future<HttpClientRequest> connected;
        try {
            connected = http.request(options);
        } catch (IllegalStateException closed) {
            fail(closed);
            return;
        }
        connected.onComplete(result -> {
            if (result.succeeded()) {
                send(result.result());
            } else if (!over && serverConnection.retriesWithJavaTls(http, result.cause())) {
                open(options);
            } else {
                fail(result.cause());
            }
        });
    }

    private void send(HttpClientRequest to) {
        sent = to;
        if (over) {
            reset();
            return;
        }
        if (guard != null && info.verb().writes()) {
            guarded = true;
            guard.onBegin(info);
            try {
                guard.check(info);
            } catch (ApiFailure | RuntimeException rejected) {
                // The server has no part in it.
                reported = true;
                fail(rejected);
                reset();
                return;
            }
        }
        to.authority(HostAndPort.create(
                serverConnection.access().server().getHost(),
                serverConnection.access().port()));
        to.exceptionHandler(this::fail);
        to.response().onComplete(result -> {
            if (result.failed()) {
                fail(result.cause());
            } else {
                receive(result.result());
            }
        });
        StandardHttpRequest.BodyContent body = request.body();
        if (body == null) {
            to.end();
        } else if (body instanceof StandardHttpRequest.StringBodyContent text) {
            to.end(Buffer.buffer(text.getContent().getBytes(StandardCharsets.UTF_8)));
        } else if (body instanceof StandardHttpRequest.ByteArrayBodyContent bytes) {
            to.end(Buffer.buffer(bytes.getContent()));
        } else {
            fail(new IOException(
                    "a body of this kind is not supported: " + body.getClass().getSimpleName()));
            reset();
        }
    }

    private void receive(HttpClientResponse from) {
        serverConnection.recordHttpVersion(from.version());
        if (over) {
            reset();
            return;
        }
        StreamedResponse response =
                new StreamedResponse(request, from.statusCode(), from.statusMessage(), headers(from.headers()), this);
        startedResponse = response;
        if (request.isForStreaming() && response.isSuccessful()) {
            if (!ErrorResponses.isJson(response)) {
                fail(ErrorResponses.notAnApiServer(response, serverConnection.access()::redact));
                reset();
                return;
            }
            from.pause();
            answer = from;
            stopTimer();
            if (info.verb() == Verb.WATCH) {
                report(null);
            }
        }
        from.handler(this::deliver);
        from.exceptionHandler(this::fail);
        from.endHandler(end -> {
            if (!over) {
                complete(response);
            }
        });
        answered.complete(response);
    }

    private void complete(StreamedResponse response) {
        if (response.isSuccessful()) {
            finish(null);
        } else if (request.isForStreaming() || response.code() != NOT_FOUND) {
            // Not by fabric8, which takes the code from the body and ignores Retry-After.
            fail(refusal(response));
            return;
        } else {
            finish(refusal(response));
        }
        if (request.isForStreaming()) {
            done.complete(null);
        } else {
            // fabric8 decodes typed responses on the thread that completes them, which must not be the event loop.
            Thread.startVirtualThread(this::completeCollected);
        }
    }

    private ApiFailure refusal(StreamedResponse response) {
        return ErrorResponses.of(response, response.code(), error.toByteArray(), serverConnection.access()::redact);
    }

    private void completeCollected() {
        StreamedResponse response = startedResponse;
        try {
            if (response != null && !response.isSuccessful()) {
                consumer.consume(List.of(ByteBuffer.wrap(error.toByteArray())), this);
            }
            done.complete(null);
        } catch (Exception e) {
            done.completeExceptionally(e);
        }
    }

    private void deliver(Buffer chunk) {
        StreamedResponse response = startedResponse;
        if (over || response == null) {
            return;
        }
        try {
            if (response.isSuccessful()) {
                reserveContent(response, chunk);
                consumer.consume(List.of(ByteBuffer.wrap(chunk.getBytes())), this);
            } else {
                collectError(response, chunk);
            }
        } catch (Exception e) {
            fail(e);
            reset();
        }
    }

    /** A longer error response is cut: its code is known. */
    private void collectError(StreamedResponse response, Buffer chunk) throws ApiFailure {
        int count = Math.min(chunk.length(), ErrorResponses.MOST_BYTES - error.size());
        reserve(count);
        error.write(chunk.getBytes(), 0, count);
        if (error.size() == ErrorResponses.MOST_BYTES) {
            complete(response);
            reset();
        }
    }

    /** Reserves the memory of a response that is collected as a whole; a streamed one is read within the limits of its reader. */
    private void reserveContent(StreamedResponse response, Buffer chunk) throws ApiFailure {
        if (answer != null) {
            return;
        }
        if (!ErrorResponses.isJson(response)) {
            throw ErrorResponses.notAnApiServer(response, serverConnection.access()::redact);
        }
        reserve(chunk.length());
    }

    private void reserve(int bytes) throws ApiFailure {
        long total = reserved + bytes;
        if (total > serverConnection.limits().answerBytes()) {
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE,
                    "the response is larger than " + serverConnection.limits().answerBytes() + " B");
        }
        MemoryBudget.MemoryShare share = serverConnection.options().share();
        if (!share.tryReserve(bytes)) {
            throw share.rejection("the response", reserved);
        }
        reserved = total;
    }

    private static Map<String, List<String>> headers(MultiMap headers) {
        Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.names().forEach(name -> all.put(name, headers.getAll(name)));
        return all;
    }

    private void fail(Throwable cause) {
        if (over) {
            return;
        }
        StreamedResponse response = startedResponse;
        Throwable reason = cause;
        if (response != null && !response.isSuccessful() && !(cause instanceof ApiFailure)) {
            // The code of an incomplete error response matters more than why it is incomplete.
            reason = refusal(response);
        }
        ApiFailure failure = serverConnection.failure(reason);
        finish(failure);
        IOException reported = new IOException(failure.text(), failure);
        answered.completeExceptionally(reported);
        done.completeExceptionally(reported);
    }

    private void finish(@Nullable ApiFailure failure) {
        end(failure == null);
        report(failure);
    }

    private void end(boolean successful) {
        over = true;
        stopTimer();
        serverConnection.options().share().release(reserved);
        if (guard != null && guarded) {
            guard.onEnd(info, successful);
        }
    }

    private void report(@Nullable ApiFailure failure) {
        // A list may fail while it is read, so its reader reports it.
        if (!reported && !(request.isForStreaming() && info.verb() == Verb.LIST)) {
            reported = true;
            serverConnection
                    .options()
                    .requests()
                    .onFinished(info.verb(), info.kind(), failure, Duration.ofNanos(System.nanoTime() - begunNanos));
        }
    }

    private void stopTimer() {
        if (timer != NO_TIMER) {
            serverConnection.vertx().cancelTimer(timer);
            timer = NO_TIMER;
        }
    }

    private void reset() {
        HttpClientRequest stream = sent;
        if (stream != null) {
            stream.reset(CANCEL);
        }
    }

    /** Requests the next chunk of a streamed response. */
    @Override
    public void consume() {
        HttpClientResponse from = answer;
        if (from != null) {
            from.fetch(1);
        }
    }

    @Override
    public CompletableFuture<Void> done() {
        return done;
    }

    @Override
    public void cancel() {
        serverConnection.context().runOnContext(now -> {
            if (!over) {
                end(false);
                done.cancel(false);
                reset();
            }
        });
    }
}

package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.HostAndPort;
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

    private final ServerConnection line;
    private final StandardHttpRequest request;
    private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
    private final CompletableFuture<HttpResponse<AsyncBody>> answered = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    private long timer = NO_TIMER;
    private @Nullable HttpClientRequest sent;
    // Only for a streaming request. Read by consume(), which any thread may call once the response has begun.
    private volatile @Nullable HttpClientResponse answer;
    private boolean over;

    TransportExchange(
            ServerConnection line, StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        this.line = line;
        this.request = request;
        this.consumer = consumer;
    }

    CompletableFuture<HttpResponse<AsyncBody>> begin() {
        line.context().runOnContext(now -> connect());
        return answered;
    }

    private void connect() {
        URI uri = request.uri();
        if (!uri.getScheme().equals(line.access().server().getScheme())
                || !uri.getRawAuthority().equals(line.access().server().getRawAuthority())) {
            // A credential must not follow a redirect to another server.
            fail(new IOException(
                    "this client may only connect to " + line.access().server()));
            return;
        }
        Duration timeout = line.limits().requestTimeout();
        timer = line.vertx().setTimer(Math.max(1, timeout.toMillis()), late -> {
            fail(new SocketTimeoutException("no response within " + timeout.toMillis() + " ms"));
            reset();
        });
        RequestOptions options = line.target()
                .setMethod(HttpMethod.valueOf(request.method()))
                .setURI(uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery());
        request.headers().forEach((name, values) -> values.forEach(value -> options.addHeader(name, value)));
        if (request.getContentType() != null && request.header("Content-Type") == null) {
            options.addHeader("Content-Type", request.getContentType());
        }
        open(options);
    }

    private void open(RequestOptions options) {
        HttpClient http = line.http();
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
            } else if (!over && line.retriesWithJavaTls(http, result.cause())) {
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
        to.authority(HostAndPort.create(
                line.access().server().getHost(), line.access().port()));
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
        line.recordHttpVersion(from.version());
        if (over) {
            reset();
            return;
        }
        if (request.isForStreaming()) {
            from.pause();
            answer = from;
            stopTimer();
        }
        from.handler(this::deliver);
        from.exceptionHandler(this::fail);
        from.endHandler(end -> {
            over = true;
            stopTimer();
            done.complete(null);
        });
        answered.complete(
                new StreamedResponse(request, from.statusCode(), from.statusMessage(), headers(from.headers()), this));
    }

    private void deliver(Buffer chunk) {
        try {
            consumer.consume(List.of(ByteBuffer.wrap(chunk.getBytes())), this);
        } catch (Exception e) {
            fail(e);
            reset();
        }
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
        over = true;
        stopTimer();
        Throwable failure = cause instanceof IOException ? cause : new IOException(cause);
        answered.completeExceptionally(failure);
        done.completeExceptionally(failure);
    }

    private void stopTimer() {
        if (timer != NO_TIMER) {
            line.vertx().cancelTimer(timer);
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
        line.context().runOnContext(now -> {
            if (!over) {
                over = true;
                stopTimer();
                done.cancel(false);
                reset();
            }
        });
    }
}

package io.osmhub.api.admission;

import io.osmhub.api.admission.AdmissionReviewJson.AdmissionRequest;
import io.osmhub.api.admission.AdmissionRoutes.AdmissionRoute;
import io.osmhub.api.http.BodyReader;
import io.osmhub.api.http.BodyReader.BodyLimits;
import io.osmhub.api.http.IdleConnectionCloser;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.tenancy.certificate.ServingCertificate;
import io.osmhub.workersync.apiserver.MetadataScanner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers AdmissionReviews over HTTPS. An invalid request gets 4xx; an internal error gets 500, so that the API server applies its
 * failure policy. Limits bodies, connections and concurrent requests.
 */
public final class AdmissionServer {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionServer.class);
    /** Two profiles of etcd's maximum size, each escaped. */
    private static final int MOST_BODY_BYTES = 7 << 20;

    private static final int MOST_HEADER_BYTES = 16_384;
    private static final int MOST_LINE_BYTES = 4_096;
    /** As in the API: an idle connection holds a file descriptor and buffers. */
    private static final Duration IDLE = Duration.ofSeconds(30);
    /** API servers need one each, and more only while they are overloaded. */
    private static final int MOST_CONNECTIONS = 512;

    private static final Duration FIRST_REQUEST = Duration.ofSeconds(5);
    private static final Duration HANDSHAKE = Duration.ofSeconds(5);

    /** Concurrent requests. */
    private static final int AT_ONCE = 64;

    /** Total of all bodies: parsed JSON takes a multiple of its text's memory. */
    private static final long MOST_BYTES_AT_ONCE = 24L << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration BODY_TIME = Duration.ofSeconds(10);
    private static final Pattern TIMEOUT = Pattern.compile("(\\d{1,3})(ms|s)");

    private final Vertx vertx;
    private final AdmissionRoutes routes;
    private final ServingCertificate certificate;
    private final AdmissionObserver observer;
    private final int connections;
    private final Duration idle;
    private final Duration bodyTime;
    private final Executor threads;
    private final Semaphore requestPermits = new Semaphore(AT_ONCE);
    private final AtomicLong reservedBytes = new AtomicLong();
    private final List<HttpServer> servers = new ArrayList<>();

    /** Receives each response. */
    @FunctionalInterface
    public interface AdmissionObserver {
        /** @param allowed {@code true}, {@code false}, or {@code error} if the hub could not decide */
        void onResponse(String webhook, String allowed, Duration took);
    }

    /**
     * A server that is not listening yet.
     *
     * @param threads runs blocking work: one virtual thread each
     */
    public AdmissionServer(
            Vertx vertx,
            AdmissionRoutes routes,
            ServingCertificate certificate,
            AdmissionObserver observer,
            Executor threads) {
        this(vertx, routes, certificate, observer, threads, MOST_CONNECTIONS, IDLE, BODY_TIME);
    }

    /**
     * @param connections most on each address; the longest idle one is closed for another
     * @param idle connections without traffic for this time are closed
     * @param bodyTime a body that takes longer is refused
     */
    AdmissionServer(
            Vertx vertx,
            AdmissionRoutes routes,
            ServingCertificate certificate,
            AdmissionObserver observer,
            Executor threads,
            int connections,
            Duration idle,
            Duration bodyTime) {
        this.connections = connections;
        this.idle = idle;
        this.bodyTime = bodyTime;
        this.vertx = vertx;
        this.routes = routes;
        this.certificate = certificate;
        this.observer = observer;
        this.threads = threads;
    }

    /**
     * Listens on one more address.
     *
     * @param host a name or an address; empty for all addresses
     * @param port 0 selects a free one
     * @return the bound port, or a failure if it cannot be bound
     */
    public Future<Integer> listen(String host, int port) {
        HttpServer server = vertx.createHttpServer(new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(certificate.current())
                .setSslHandshakeTimeout(HANDSHAKE.toSeconds())
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                .setIdleTimeout((int) idle.toMillis())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setMaxInitialLineLength(MOST_LINE_BYTES)
                .setMaxHeaderSize(MOST_HEADER_BYTES));
        servers.add(server);
        return IdleConnectionCloser.limit(vertx, server, connections, FIRST_REQUEST, idle, this::receive)
                .exceptionHandler(fault -> LOG.debug("A connection broke: {}", fault.getMessage()))
                .listen(SocketAddress.inetSocketAddress(port, host.isEmpty() ? "0.0.0.0" : host))
                .map(HttpServer::actualPort);
    }

    /** Stops listening; completes when all connections are closed. */
    public Future<Void> close() {
        return Future.join(servers.stream().map(HttpServer::close).toList()).mapEmpty();
    }

    private void receive(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        Optional<AdmissionRoute> route = routes.find(request.path());
        if (route.isEmpty()) {
            refuse(request, 404, "unknown webhook path");
        } else if (request.method() != HttpMethod.POST) {
            response.putHeader(HttpHeaders.ALLOW, "POST");
            refuse(request, 405, "send an AdmissionReview by POST");
        } else if (!isJson(request)) {
            refuse(request, 415, "send application/json");
        } else if (!requestPermits.tryAcquire()) {
            response.putHeader(HttpHeaders.RETRY_AFTER, "1");
            refuse(request, 503, "too many concurrent requests");
        } else {
            request.pause();
            Context context = vertx.getOrCreateContext();
            try {
                threads.execute(() -> review(request, context, route.get()));
            } catch (RejectedExecutionException e) {
                requestPermits.release();
                refuse(request, 503, "the hub is stopping");
            }
        }
    }

    private static boolean isJson(HttpServerRequest request) {
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        return type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json");
    }

    /**
     * Responds before the body is read. The rest of the body is discarded, so that other requests on the connection are not
     * disturbed; an endless body is cut off.
     */
    private static void refuse(HttpServerRequest request, int code, String why) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        long[] dropped = {0};
        request.handler(chunk -> {
            dropped[0] += chunk.length();
            if (dropped[0] > MOST_BODY_BYTES) {
                closeConnection(request);
            }
        });
        request.exceptionHandler(fault -> LOG.debug("Discarding a rejected body failed: {}", fault.getMessage()));
        request.resume();
        response.setStatusCode(code)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(why + "\n");
    }

    private static void closeConnection(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset();
        } else {
            request.connection().close();
        }
    }

    /** Reads and answers a review, on a virtual thread. */
    private void review(HttpServerRequest request, Context context, AdmissionRoute route) {
        AtomicLong reserved = new AtomicLong();
        BodyLimits limits = new BodyLimits(
                MOST_BODY_BYTES,
                bodyTime,
                bytes -> {
                    reserved.addAndGet(bytes);
                    return reservedBytes.addAndGet(bytes) <= MOST_BYTES_AT_ONCE;
                },
                () -> {});
        try {
            byte[] body = new BodyReader(request, context, limits).readBody();
            long begun = System.nanoTime();
            EncodedReview written = answer(route, body, reviewTimeout(request.getParam("timeout")));
            observer.onResponse(route.word(), written.allowed(), Duration.ofNanos(System.nanoTime() - begun));
            request.response()
                    .setStatusCode(written.code())
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .end(Buffer.buffer(written.body()))
                    .onFailure(fault -> LOG.debug("Sending a response failed: {}", fault.getMessage()));
        } catch (ApiProblem problem) {
            context.runOnContext(now -> refuse(request, problem.status(), problem.detail()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            context.runOnContext(now -> refuse(request, 503, "the hub is stopping"));
        } finally {
            // On the event loop, after the last piece that reserved memory.
            context.runOnContext(now -> {
                reservedBytes.addAndGet(-reserved.get());
                requestPermits.release();
            });
        }
    }

    /** The timeout that the API server announces. */
    private static Duration reviewTimeout(@Nullable String timeout) {
        Matcher given = TIMEOUT.matcher(timeout == null ? "" : timeout);
        if (!given.matches()) {
            return PATIENCE;
        }
        long number = Long.parseLong(given.group(1));
        return given.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
    }

    private record EncodedReview(int code, String allowed, byte[] body) {}

    private static EncodedReview answer(AdmissionRoute route, byte[] body, Duration patience) {
        MetadataScanner object = MetadataScanner.scanReview(body);
        String limit = object.exceededLimit();
        // An object that is being deleted loses its finalizers, whatever it contains.
        if (!limit.isEmpty() && !object.label().isEmpty() && !object.isBeingDeleted()) {
            return new EncodedReview(
                    200,
                    "false",
                    AdmissionReviewJson.write(
                            object.label(),
                            AdmissionResponse.malformed(
                                    "the hub could not read the object: " + limit + "; shorten it")));
        }
        AdmissionRequest review;
        try {
            review = AdmissionReviewJson.read(body, patience);
        } catch (AdmissionReviewJson.InvalidReviewException e) {
            return new EncodedReview(
                    400,
                    "error",
                    AdmissionReviewJson.write(AdmissionResponse.malformed(String.valueOf(e.getMessage()))));
        }
        try {
            AdmissionResponse answer = route.rule().review(review);
            return new EncodedReview(
                    200, Boolean.toString(answer.allowed()), AdmissionReviewJson.write(review, answer));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.atError()
                    .addKeyValue("webhook", route.word())
                    .addKeyValue("requestId", review.uid())
                    .setCause(e)
                    .log("Admission request failed");
            return new EncodedReview(
                    500,
                    "error",
                    AdmissionReviewJson.write(
                            review, AdmissionResponse.internalError("the hub failed; its log has the request's uid")));
        }
    }
}

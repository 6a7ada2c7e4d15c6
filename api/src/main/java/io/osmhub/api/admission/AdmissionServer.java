package io.osmhub.api.admission;

import io.osmhub.api.admission.AdmissionRoutes.Route;
import io.osmhub.api.certificate.ServingCertificate;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers AdmissionReviews over HTTPS. A request that is none gets 4xx; a fault of the hub gets 500, so that the API server does what
 * its failure policy says. Bodies, connections and the number of questions at a time are bounded.
 */
public final class AdmissionServer {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionServer.class);
    /** Two profiles of the largest size that etcd takes, each escaped. */
    private static final int MOST_BODY_BYTES = 7 << 20;

    private static final int MOST_HEADER_BYTES = 16_384;
    private static final int MOST_LINE_BYTES = 4_096;
    /** As the API: an idle connection holds a file descriptor and buffers of the hub. */
    private static final Duration IDLE = Duration.ofSeconds(30);
    /** Questions at a time. */
    private static final int AT_ONCE = 64;

    /** Of all bodies together: a tree of JSON takes several times as much memory as its text. */
    private static final long MOST_BYTES_AT_ONCE = 24L << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration BODY_TIME = Duration.ofSeconds(10);
    private static final Pattern TIMEOUT = Pattern.compile("(\\d{1,3})(ms|s)");

    private final Vertx vertx;
    private final AdmissionRoutes routes;
    private final ServingCertificate certificate;
    private final Observer observer;
    private final Duration idle;
    private final Executor threads;
    private final Semaphore questions = new Semaphore(AT_ONCE);
    private final AtomicLong held = new AtomicLong();
    private final List<HttpServer> servers = new ArrayList<>();

    /** Hears of each answer. */
    @FunctionalInterface
    public interface Observer {
        /** @param allowed {@code true}, {@code false}, or {@code error} when the hub could not tell */
        void answered(String webhook, String allowed, Duration took);
    }

    /**
     * A server that does not listen yet.
     *
     * @param threads runs what may wait: a virtual thread for each
     */
    public AdmissionServer(
            Vertx vertx, AdmissionRoutes routes, ServingCertificate certificate, Observer observer, Executor threads) {
        this(vertx, routes, certificate, observer, threads, IDLE);
    }

    /** @param idle after so long without a byte a connection is closed */
    AdmissionServer(
            Vertx vertx,
            AdmissionRoutes routes,
            ServingCertificate certificate,
            Observer observer,
            Executor threads,
            Duration idle) {
        this.idle = idle;
        this.vertx = vertx;
        this.routes = routes;
        this.certificate = certificate;
        this.observer = observer;
        this.threads = threads;
    }

    /**
     * Listens on one more address.
     *
     * @param host a name or an address; empty for every address of the machine
     * @param port 0 takes a free one
     * @return the port, or why it cannot be listened on
     */
    public Future<Integer> listen(String host, int port) {
        HttpServer server = vertx.createHttpServer(new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(certificate.current())
                .setIdleTimeout((int) idle.toMillis())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setMaxInitialLineLength(MOST_LINE_BYTES)
                .setMaxHeaderSize(MOST_HEADER_BYTES));
        servers.add(server);
        return server.requestHandler(this::receive)
                .exceptionHandler(fault -> LOG.debug("A connection broke: {}", fault.getMessage()))
                .listen(SocketAddress.inetSocketAddress(port, host.isEmpty() ? "0.0.0.0" : host))
                .map(HttpServer::actualPort);
    }

    /** Stops listening; ends when all connections are closed. */
    public Future<Void> close() {
        return Future.join(servers.stream().map(HttpServer::close).toList()).mapEmpty();
    }

    private void receive(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        Optional<Route> route = routes.find(request.path());
        if (route.isEmpty()) {
            refuse(request, 404, "no webhook of the hub is here");
        } else if (request.method() != HttpMethod.POST) {
            response.putHeader(HttpHeaders.ALLOW, "POST");
            refuse(request, 405, "send an AdmissionReview by POST");
        } else if (!isJson(request)) {
            refuse(request, 415, "send application/json");
        } else if (declaredLength(request) > MOST_BODY_BYTES) {
            refuse(request, 413, "the body has more than " + MOST_BODY_BYTES + " B");
        } else if (!questions.tryAcquire()) {
            response.putHeader(HttpHeaders.RETRY_AFTER, "1");
            refuse(request, 503, "too many questions at a time");
        } else {
            new Body(request, route.get()).read();
        }
    }

    private static boolean isJson(HttpServerRequest request) {
        String type = request.getHeader(HttpHeaders.CONTENT_TYPE);
        return type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json");
    }

    private static long declaredLength(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length.trim());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * Answers before the body is read. What still comes of it is dropped, so that others who ask over the same connection are not
     * disturbed; a body without an end is cut off.
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
                cut(request);
            }
        });
        request.exceptionHandler(fault -> LOG.debug("A refused body broke: {}", fault.getMessage()));
        response.setStatusCode(code)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(why + "\n");
    }

    private static void cut(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset();
        } else {
            request.connection().close();
        }
    }

    /** One body on its way in. */
    private final class Body {
        private final HttpServerRequest request;
        private final Route route;
        private final Buffer buffer = Buffer.buffer();
        private final long timer;
        private boolean done;

        Body(HttpServerRequest request, Route route) {
            this.request = request;
            this.route = route;
            this.timer = vertx.setTimer(BODY_TIME.toMillis(), ignored -> giveUp(408, "the body did not come in time"));
        }

        void read() {
            request.handler(chunk -> {
                if (done) {
                    return;
                }
                if (buffer.length() + chunk.length() > MOST_BODY_BYTES) {
                    giveUp(413, "the body has more than " + MOST_BODY_BYTES + " B");
                    return;
                }
                buffer.appendBuffer(chunk);
                if (held.addAndGet(chunk.length()) > MOST_BYTES_AT_ONCE) {
                    giveUp(503, "too many large questions at a time");
                }
            });
            request.exceptionHandler(fault -> end(() -> release(buffer.length())));
            request.endHandler(ignored -> end(() -> hand(request, route, buffer.getBytes())));
        }

        private void giveUp(int code, String why) {
            end(() -> {
                release(buffer.length());
                refuse(request, code, why);
            });
        }

        private void end(Runnable then) {
            if (!done) {
                done = true;
                vertx.cancelTimer(timer);
                then.run();
            }
        }
    }

    /** A question is over, and nothing holds its body any more. */
    private void release(int bytes) {
        held.addAndGet(-bytes);
        questions.release();
    }

    private void hand(HttpServerRequest request, Route route, byte[] body) {
        long begun = System.nanoTime();
        Duration patience = patience(request.getParam("timeout"));
        try {
            threads.execute(() -> {
                try {
                    Written written = answer(route, body, patience);
                    observer.answered(route.word(), written.allowed(), Duration.ofNanos(System.nanoTime() - begun));
                    request.response()
                            .setStatusCode(written.code())
                            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                            .end(Buffer.buffer(written.body()))
                            .onFailure(fault -> LOG.debug("An answer was not sent: {}", fault.getMessage()));
                } finally {
                    release(body.length);
                }
            });
        } catch (RuntimeException e) {
            // The process stops: nothing runs any more.
            release(body.length);
            refuse(request, 503, "the hub stops");
        }
    }

    /** What the API server says that it waits for. */
    private static Duration patience(@Nullable String timeout) {
        Matcher given = TIMEOUT.matcher(timeout == null ? "" : timeout);
        if (!given.matches()) {
            return PATIENCE;
        }
        long number = Long.parseLong(given.group(1));
        return given.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
    }

    private record Written(int code, String allowed, byte[] body) {}

    private static Written answer(Route route, byte[] body, Duration patience) {
        Review review;
        try {
            review = ReviewJson.read(body, patience);
        } catch (ReviewJson.NoReview e) {
            return new Written(400, "error", ReviewJson.write(Answer.refused(String.valueOf(e.getMessage()))));
        }
        try {
            Answer answer = route.rule().answer(review);
            return new Written(200, Boolean.toString(answer.allowed()), ReviewJson.write(review, answer));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.atError()
                    .addKeyValue("webhook", route.word())
                    .addKeyValue("requestId", review.uid())
                    .setCause(e)
                    .log("A question could not be answered");
            return new Written(
                    500,
                    "error",
                    ReviewJson.write(review, Answer.failed("the hub failed; its log has the request's uid")));
        }
    }
}

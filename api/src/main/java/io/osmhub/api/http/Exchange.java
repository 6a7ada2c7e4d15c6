package io.osmhub.api.http;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.RateLimits;
import io.osmhub.api.problem.ApiProblem;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request from its first line to the last byte of its answer. */
final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final Duration BUSY = Duration.ofSeconds(1);
    private static final Duration STREAM_AGAIN = Duration.ofSeconds(5);
    /** How often it is asked whether the caller of a stream is still signed in. */
    private static final Duration BETWEEN_REVIEWS = Duration.ofSeconds(10);
    /** How long the rest of a body that nobody wants may keep its connection. */
    private static final long REST_MILLIS = 2_000;

    private final RoutingContext routing;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Vertx vertx;
    private final Context context;
    private final Services services;
    private final String route;
    private final String requestId;
    private final RequestTrace trace;
    private final long beganAt = System.nanoTime();
    /** Gives back the places that the request has; used by the thread that answers. */
    private final List<Runnable> places = new ArrayList<>();

    private volatile @Nullable Caller caller;
    private volatile RateLimits.@Nullable Verdict rate;
    private volatile long signedInAt = beganAt;
    private volatile String action = "";
    private volatile String object = "";
    private volatile boolean dryRun;

    /** What answers; on a virtual thread. */
    interface Work {
        Reply reply() throws ApiProblem, InterruptedException;
    }

    /** How problems are shown, and what an answer has to look like. */
    interface Form {
        Answering problem(ApiProblem problem, String path, String requestId);

        /** What is wrong with an answer; empty when it is as it has to be. */
        List<String> mistakes(Answering answer);

        /** Whether who has the body already is told so. */
        boolean mayBeKept();
    }

    /** @param route template of the path */
    Exchange(RoutingContext routing, Services services, String route) {
        this.routing = routing;
        this.request = routing.request();
        this.response = routing.response();
        this.vertx = routing.vertx();
        this.context = vertx.getOrCreateContext();
        this.services = services;
        this.route = route;
        this.requestId = routing.get(Headers.REQUEST_ID);
        this.trace = services.observer().begins(request.getHeader("traceparent"));
    }

    HttpServerRequest request() {
        return request;
    }

    String requestId() {
        return requestId;
    }

    /** Makes it one that audit lines tell of. */
    void audited(String what, String about) {
        action = what;
        object = about;
    }

    void dryRun(boolean now) {
        dryRun = now;
    }

    /** Answers on a virtual thread. */
    void run(Form form, Work work) {
        if (!services.begin()) {
            finish(form, problem(form, ApiProblem.unavailable("the hub has too many requests under way", BUSY)));
            return;
        }
        places.add(services::end);
        try {
            services.threads().execute(() -> {
                try {
                    work(form, work);
                } finally {
                    giveBack();
                }
            });
        } catch (RejectedExecutionException e) {
            giveBack();
            finish(form, problem(form, ApiProblem.unavailable("the hub is stopping; another replica answers", BUSY)));
        }
    }

    private void work(Form form, Work work) {
        Answering answering;
        try {
            Reply reply = work.reply();
            if (reply.body() instanceof Reply.Streaming streaming) {
                stream(reply, streaming);
                return;
            }
            answering = Answering.of(reply);
            List<String> mistakes = services.checksAnswers() ? form.mistakes(answering) : List.of();
            if (!mistakes.isEmpty()) {
                throw new IllegalStateException("an answer breaks the contract: " + mistakes);
            }
        } catch (ApiProblem problem) {
            answering = problem(form, problem);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answering = problem(form, ApiProblem.unavailable("the hub is stopping; another replica answers", BUSY));
        } catch (RuntimeException | IOException | StackOverflowError fault) {
            AuditLog.about(requestId, trace, LOG.atError())
                    .addKeyValue("method", request.method())
                    .addKeyValue("route", route)
                    .setCause(fault)
                    .log("A request ended in a fault");
            answering = problem(form, ApiProblem.internalError());
        }
        finish(form, answering);
    }

    private void giveBack() {
        places.forEach(Runnable::run);
        places.clear();
    }

    /** Takes a place of those for requests that nobody signed. */
    void unsigned() throws ApiProblem {
        take(services.unknown(), SignIns.address(request), "from this address without a sign-in");
    }

    private void take(Shares shares, String who, String whose) throws ApiProblem {
        switch (shares.take(who)) {
            case TAKEN -> places.add(() -> shares.free(who));
            case NAME_HAS_ALL -> {
                services.observer().limited(HttpObserver.Limit.RATE);
                throw ApiProblem.rateLimited("too many requests " + whose + " are under way at once; wait 1 s", BUSY);
            }
            case NONE_LEFT -> throw ApiProblem.unavailable("the hub has too many requests under way; wait 1 s", BUSY);
        }
    }

    /** Counts the request; {@code who} is whoever the limit is for. */
    private void count(String who) throws ApiProblem {
        RateLimits.Verdict verdict = services.rates().take(who);
        rate = verdict;
        if (!verdict.allowed()) {
            services.observer().limited(HttpObserver.Limit.RATE);
            throw ApiProblem.rateLimited(verdict.retryAfter());
        }
    }

    /** Finds out who asks, and counts the request for them. */
    Optional<Caller> signIn() throws ApiProblem {
        Optional<Caller> found = services.signIns().caller(request);
        if (found.isPresent()) {
            caller = found.get();
            String who = "caller " + found.get().user() + " " + found.get().uid();
            count(who);
            take(services.callers(), who, "of this caller");
        }
        return found;
    }

    byte[] body() throws ApiProblem, InterruptedException {
        return new Incoming(request, context, services.limits(), services.observer()).body();
    }

    private Answering problem(Form form, ApiProblem problem) {
        return form.problem(problem, request.path(), requestId);
    }

    private void finish(Form form, Answering full) {
        boolean read = request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
        Answering unpacked = read && form.mayBeKept() ? full.unless(request.getHeader("If-None-Match")) : full;
        Answering answer = Accept.gzip(request.headers().getAll("Accept-Encoding")) ? unpacked.packed() : unpacked;
        services.audit().request(action, object, caller, answer.status(), requestId, trace, dryRun);
        context.runOnContext(now -> {
            if (response.ended() || response.closed()) {
                return;
            }
            MultiMap headers = head(answer.status(), answer.headers());
            if (!answer.mediaType().isEmpty()) {
                headers.set("Content-Type", answer.mediaType());
                headers.set("Vary", "Accept, Accept-Encoding");
            }
            limitSending();
            byte[] body = answer.body();
            if (body == null) {
                response.end();
            } else if (request.method() == HttpMethod.HEAD) {
                headers.set("Content-Length", String.valueOf(body.length));
                response.end();
            } else {
                response.end(Buffer.buffer(body));
            }
            leaveTheRest();
        });
    }

    private MultiMap head(int status, Map<String, String> own) {
        response.setStatusCode(status);
        MultiMap headers = response.headers();
        RateLimits.Verdict verdict = rate;
        if (verdict != null) {
            headers.set("RateLimit", verdict.left());
            headers.set("RateLimit-Policy", verdict.policy());
        }
        own.forEach(headers::set);
        routing.addEndHandler(done -> services.observer()
                .answered(
                        route, request.method().name(), status, Duration.ofNanos(System.nanoTime() - beganAt), trace));
        return headers;
    }

    /** A client that does not take its answer is not waited for. */
    private void limitSending() {
        long timer = vertx.setTimer(services.limits().send().toMillis(), late -> cut());
        routing.addEndHandler(done -> vertx.cancelTimer(timer));
    }

    /** A body that was not wanted is passed over for a moment, so that the client can read why. */
    private void leaveTheRest() {
        if (request.isEnded()) {
            return;
        }
        request.handler(piece -> {});
        request.endHandler(end -> {});
        request.exceptionHandler(broken -> {});
        request.resume();
        vertx.setTimer(REST_MILLIS, late -> {
            if (!request.isEnded()) {
                cut();
            }
        });
    }

    private void cut() {
        if (request.version() == HttpVersion.HTTP_2) {
            response.reset();
        } else {
            request.connection().close();
        }
    }

    private void stream(Reply reply, Reply.Streaming streaming) throws ApiProblem, InterruptedException {
        String who = caller == null ? "" : caller.user();
        takeStream(who);
        // It may last for days, and what is asked meanwhile needs the places for requests.
        giveBack();
        EventSink sink = new EventSink(response, context, services.limits().send(), this::stillSignedIn);
        services.streams().add(sink);
        try {
            context.runOnContext(now -> {
                if (response.closed()) {
                    sink.end();
                    return;
                }
                MultiMap headers = head(reply.status(), reply.headers());
                headers.set("Content-Type", "text/event-stream");
                headers.set("X-Accel-Buffering", "no");
                routing.addEndHandler(done -> sink.end());
                if (request.method() == HttpMethod.HEAD) {
                    response.end();
                    return;
                }
                response.setChunked(true);
                response.writeHead();
            });
            if (request.method() != HttpMethod.HEAD) {
                streaming.run(sink);
            }
        } finally {
            services.streams().remove(sink);
            services.streaming().free(who);
            sink.end();
            context.runOnContext(now -> {
                if (!response.ended() && !response.closed()) {
                    limitSending();
                    response.end();
                }
            });
        }
    }

    private void takeStream(String who) throws ApiProblem {
        HttpLimits limits = services.limits();
        String why =
                switch (services.streaming().take(who)) {
                    case TAKEN -> "";
                    case NAME_HAS_ALL ->
                        "this caller has " + limits.eventStreams()
                                + " event streams open, which is the most; close one";
                    case NONE_LEFT -> "all " + limits.allEventStreams() + " event streams of this hub are taken";
                };
        if (!why.isEmpty()) {
            services.observer().limited(HttpObserver.Limit.STREAMS);
            throw ApiProblem.rateLimited(
                    why + "; try again in " + STREAM_AGAIN.toSeconds() + " s, or read the lists instead", STREAM_AGAIN);
        }
    }

    /** A stream may last for days: a caller whose token has ended gets nothing more. */
    private boolean stillSignedIn() {
        if (System.nanoTime() - signedInAt < BETWEEN_REVIEWS.toNanos()) {
            return true;
        }
        signedInAt = System.nanoTime();
        try {
            return services.signIns().caller(request).isPresent();
        } catch (ApiProblem unavailable) {
            // Whoever was signed in a moment ago keeps what they have while the management cluster is away.
            return unavailable.status() != 403;
        }
    }
}

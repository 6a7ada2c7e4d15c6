package io.osmhub.api.http;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerRateLimiter;
import io.osmhub.api.access.ReplicaTickets;
import io.osmhub.api.http.HttpRoute.ReplyFormat;
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

/** One request from its first line to the last byte of its response. */
final class RequestExchange {
    private static final Logger LOG = LoggerFactory.getLogger(RequestExchange.class);
    private static final Duration BUSY = Duration.ofSeconds(1);
    /** How long an unread body may keep its connection open. */
    private static final long REST_MILLIS = 2_000;

    private final RoutingContext routing;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Vertx vertx;
    private final Context context;
    private final HttpServerContext services;
    private final String route;
    private final String requestId;
    private final RequestTrace trace;
    private final long beganAt = System.nanoTime();
    /** Releases the request's permits; used by the responding thread. */
    private final List<Runnable> places = new ArrayList<>();

    private volatile @Nullable Caller caller;
    private volatile CallerRateLimiter.@Nullable RateLimitDecision rate;
    private volatile String action = "";
    private volatile String object = "";
    private volatile boolean dryRun;

    /** Computes the reply, on a virtual thread. */
    interface ReplySupplier {
        Reply reply() throws ApiProblem, InterruptedException;
    }

    /** @param route template of the path */
    RequestExchange(RoutingContext routing, HttpServerContext services, String route) {
        this.routing = routing;
        this.request = routing.request();
        this.response = routing.response();
        this.vertx = routing.vertx();
        this.context = vertx.getOrCreateContext();
        this.services = services;
        this.route = route;
        this.requestId = routing.get(ResponseHeaders.REQUEST_ID);
        this.trace = services.observer().onRequest(request.getHeader("traceparent"));
    }

    HttpServerRequest request() {
        return request;
    }

    /** As decoded by the router. */
    Map<String, String> pathParameters() {
        return routing.pathParams();
    }

    String requestId() {
        return requestId;
    }

    /** Enables the audit line of this request. */
    void enableAudit(String what, String about) {
        action = what;
        object = about;
    }

    void dryRun(boolean now) {
        dryRun = now;
    }

    /** Responds on a virtual thread. */
    void run(ReplyFormat form, ReplySupplier work) {
        if (!services.requestPermits().tryAcquire()) {
            finish(form, problem(form, ApiProblem.unavailable("too many concurrent requests", BUSY)));
            return;
        }
        places.add(services.requestPermits()::release);
        try {
            services.dependencies().threads().execute(() -> {
                try {
                    work(form, work);
                } finally {
                    releasePermits();
                }
            });
        } catch (RejectedExecutionException e) {
            releasePermits();
            finish(
                    form,
                    problem(form, ApiProblem.unavailable("the hub is stopping; retry to reach another replica", BUSY)));
        }
    }

    private void work(ReplyFormat form, ReplySupplier work) {
        EncodedReply answering;
        try {
            answering = EncodedReply.of(work.reply());
            List<String> mistakes =
                    services.dependencies().content().checksAnswers() ? form.mistakes(answering) : List.of();
            if (!mistakes.isEmpty()) {
                throw new IllegalStateException("reply violates the contract: " + mistakes);
            }
        } catch (ApiProblem problem) {
            answering = problem(form, problem);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answering =
                    problem(form, ApiProblem.unavailable("the hub is stopping; retry to reach another replica", BUSY));
        } catch (RuntimeException | IOException | StackOverflowError fault) {
            AuditLog.addContext(requestId, trace, LOG.atError())
                    .addKeyValue("method", request.method())
                    .addKeyValue("route", route)
                    .setCause(fault)
                    .log("Request failed");
            answering = problem(form, ApiProblem.internalError());
        }
        finish(form, answering);
    }

    private void releasePermits() {
        places.forEach(Runnable::run);
        places.clear();
    }

    /** Address of the client, for rate limits; of the original one if a replica sent the request. */
    String address() {
        return services.dependencies()
                .callers()
                .tickets()
                .findClientAddress(request.getHeader(ReplicaTickets.HEADER))
                .orElseGet(() -> RequestAuthenticator.address(request));
    }

    /** Acquires a permit for unauthenticated requests. */
    void admitUnauthenticated() throws ApiProblem {
        acquirePermit(services.anonymousPermits(), address(), "from this address without a sign-in");
    }

    private void acquirePermit(KeyedSemaphore shares, String who, String whose) throws ApiProblem {
        switch (shares.tryAcquire(who)) {
            case TAKEN -> places.add(() -> shares.release(who));
            case NAME_HAS_ALL -> {
                services.observer().onLimited(HttpObserver.LimitKind.RATE);
                throw ApiProblem.rateLimited("too many requests " + whose + " are in progress; wait 1 s", BUSY);
            }
            case NONE_LEFT -> throw ApiProblem.unavailable("too many concurrent requests; wait 1 s", BUSY);
        }
    }

    /** Counts the request against the limit of {@code who}. */
    private void count(String who) throws ApiProblem {
        CallerRateLimiter.RateLimitDecision verdict =
                services.dependencies().callers().rates().tryAcquire(who);
        rate = verdict;
        if (!verdict.allowed()) {
            services.observer().onLimited(HttpObserver.LimitKind.RATE);
            throw ApiProblem.rateLimited(verdict.retryAfter());
        }
    }

    /** Authenticates the caller, and counts the request against its limit. */
    Optional<Caller> authenticate() throws ApiProblem {
        Optional<Caller> found = services.authenticator().authenticate(request, address());
        if (found.isPresent()) {
            caller = found.get();
            String who = "caller " + found.get().user() + " " + found.get().uid();
            if (services.dependencies()
                    .callers()
                    .tickets()
                    .findClientAddress(request.getHeader(ReplicaTickets.HEADER))
                    .isEmpty()) {
                // The replica that received the request has counted it.
                count(who);
            }
            acquirePermit(services.callerPermits(), who, "of this caller");
        }
        return found;
    }

    byte[] body() throws ApiProblem, InterruptedException {
        HttpLimits limits = services.limits();
        return new BodyReader(
                        request,
                        context,
                        new BodyReader.BodyLimits(
                                limits.bodyBytes(), limits.receive(), bytes -> true, () -> services.observer()
                                        .onLimited(HttpObserver.LimitKind.BODY)))
                .readBody();
    }

    private EncodedReply problem(ReplyFormat form, ApiProblem problem) {
        return form.problem(problem, request.path(), requestId);
    }

    private void finish(ReplyFormat form, EncodedReply full) {
        boolean read = request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
        EncodedReply unpacked =
                read && form.isCacheable() ? full.withIfNoneMatch(request.getHeader("If-None-Match")) : full;
        EncodedReply answer = AcceptHeader.acceptsGzip(request.headers().getAll("Accept-Encoding"))
                ? unpacked.compressed()
                : unpacked;
        services.audit().logRequest(action, object, caller, answer.status(), requestId, trace, dryRun);
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
            discardBody();
        });
    }

    private MultiMap head(int status, Map<String, String> own) {
        response.setStatusCode(status);
        MultiMap headers = response.headers();
        CallerRateLimiter.RateLimitDecision verdict = rate;
        if (verdict != null) {
            headers.set("RateLimit", verdict.limitHeader());
            headers.set("RateLimit-Policy", verdict.policyHeader());
        }
        own.forEach((name, value) -> headers.set(name, value.lines().toList()));
        routing.addEndHandler(done -> services.observer()
                .onResponse(
                        route, request.method().name(), status, Duration.ofNanos(System.nanoTime() - beganAt), trace));
        return headers;
    }

    /** Disconnects a client that does not read its response. */
    private void limitSending() {
        long timer = vertx.setTimer(services.limits().send().toMillis(), late -> closeConnection());
        routing.addEndHandler(done -> vertx.cancelTimer(timer));
    }

    /** Discards the rest of an unread body for a moment, so that the client can read the response. */
    private void discardBody() {
        if (request.isEnded()) {
            return;
        }
        request.handler(piece -> {});
        request.endHandler(end -> {});
        request.exceptionHandler(broken -> {});
        request.resume();
        vertx.setTimer(REST_MILLIS, late -> {
            if (!request.isEnded()) {
                closeConnection();
            }
        });
    }

    private void closeConnection() {
        if (request.version() == HttpVersion.HTTP_2) {
            response.reset();
        } else {
            request.connection().close();
        }
    }
}

package io.osmhub.api.http;

import io.osmhub.api.access.CallerRateLimiter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/** State shared by all requests of a server. */
final class HttpServerContext {
    private final HttpLimits limits;
    private final ExecutorService threads;
    private final HttpObserver observer;
    private final AuditLog audit;
    private final RequestAuthenticator signIns;
    private final CallerRateLimiter rates;
    private final boolean checksAnswers;
    private final AtomicInteger underWay = new AtomicInteger();
    private final KeyedSemaphore callerPermits;
    private final KeyedSemaphore anonymousPermits;
    private final KeyedSemaphore streamPermits;
    private final Set<HttpEventSink> streams = ConcurrentHashMap.newKeySet();

    HttpServerContext(
            HttpLimits limits,
            ExecutorService threads,
            HttpObserver observer,
            AuditLog audit,
            RequestAuthenticator signIns,
            CallerRateLimiter rates,
            boolean checksAnswers) {
        this.limits = limits;
        this.threads = threads;
        this.observer = observer;
        this.audit = audit;
        this.signIns = signIns;
        this.rates = rates;
        this.checksAnswers = checksAnswers;
        this.callerPermits = new KeyedSemaphore(limits.callerRequests(), limits.requests());
        this.anonymousPermits = new KeyedSemaphore(limits.unknownRequests() / 2, limits.unknownRequests());
        this.streamPermits = new KeyedSemaphore(limits.eventStreams(), limits.allEventStreams());
    }

    HttpLimits limits() {
        return limits;
    }

    ExecutorService threads() {
        return threads;
    }

    HttpObserver observer() {
        return observer;
    }

    AuditLog audit() {
        return audit;
    }

    RequestAuthenticator signIns() {
        return signIns;
    }

    CallerRateLimiter rates() {
        return rates;
    }

    /** Whether each response is checked against the contract before it is sent. */
    boolean checksAnswers() {
        return checksAnswers;
    }

    /** Acquires a permit for a request; false if none is left. */
    boolean tryAcquire() {
        if (underWay.incrementAndGet() <= limits.requests()) {
            return true;
        }
        underWay.decrementAndGet();
        return false;
    }

    void release() {
        underWay.decrementAndGet();
    }

    /** Concurrent requests by caller. */
    KeyedSemaphore callerPermits() {
        return callerPermits;
    }

    /** Concurrent unauthenticated requests by address: half for one address, which may be a proxy's. */
    KeyedSemaphore anonymousPermits() {
        return anonymousPermits;
    }

    /** Event streams by caller. They need no request permit. */
    KeyedSemaphore streamPermits() {
        return streamPermits;
    }

    Set<HttpEventSink> streams() {
        return streams;
    }
}

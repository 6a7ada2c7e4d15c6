package io.osmhub.api.http;

import io.osmhub.api.access.RateLimits;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/** What all requests of a server share. */
final class Services {
    private final HttpLimits limits;
    private final ExecutorService threads;
    private final HttpObserver observer;
    private final AuditLog audit;
    private final SignIns signIns;
    private final RateLimits rates;
    private final boolean checksAnswers;
    private final AtomicInteger underWay = new AtomicInteger();
    private final Shares callers;
    private final Shares unknown;
    private final Shares streaming;
    private final Set<EventSink> streams = ConcurrentHashMap.newKeySet();

    Services(
            HttpLimits limits,
            ExecutorService threads,
            HttpObserver observer,
            AuditLog audit,
            SignIns signIns,
            RateLimits rates,
            boolean checksAnswers) {
        this.limits = limits;
        this.threads = threads;
        this.observer = observer;
        this.audit = audit;
        this.signIns = signIns;
        this.rates = rates;
        this.checksAnswers = checksAnswers;
        this.callers = new Shares(limits.callerRequests(), limits.requests());
        this.unknown = new Shares(limits.unknownRequests() / 2, limits.unknownRequests());
        this.streaming = new Shares(limits.eventStreams(), limits.allEventStreams());
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

    SignIns signIns() {
        return signIns;
    }

    RateLimits rates() {
        return rates;
    }

    /** Whether each answer is held against the contract before it is sent. */
    boolean checksAnswers() {
        return checksAnswers;
    }

    /** Takes a place for a request; false when all are taken. */
    boolean begin() {
        if (underWay.incrementAndGet() <= limits.requests()) {
            return true;
        }
        underWay.decrementAndGet();
        return false;
    }

    void end() {
        underWay.decrementAndGet();
    }

    /** Requests under way by caller. */
    Shares callers() {
        return callers;
    }

    /** Requests under way that nobody signed, by address: half for one address, which may be a proxy's. */
    Shares unknown() {
        return unknown;
    }

    /** Event streams by caller. They take no place of requests. */
    Shares streaming() {
        return streaming;
    }

    Set<EventSink> streams() {
        return streams;
    }
}

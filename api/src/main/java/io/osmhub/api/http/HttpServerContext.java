package io.osmhub.api.http;

import io.osmhub.api.access.CallerRateLimiter;
import io.osmhub.api.access.ReplicaTickets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;

/**
 * State shared by all requests of a server.
 *
 * @param checksAnswers whether each response is checked against the contract before it is sent
 * @param requestPermits concurrent requests
 * @param callerPermits concurrent requests by caller
 * @param anonymousPermits concurrent unauthenticated requests by address: half for one address, which may be a proxy's
 */
record HttpServerContext(
        HttpLimits limits,
        ExecutorService threads,
        HttpObserver observer,
        AuditLog audit,
        RequestAuthenticator signIns,
        ReplicaTickets tickets,
        CallerRateLimiter rates,
        boolean checksAnswers,
        Semaphore requestPermits,
        KeyedSemaphore callerPermits,
        KeyedSemaphore anonymousPermits) {
    static HttpServerContext of(HubHttpServer.HttpServerDependencies parts) {
        HttpLimits limits = parts.limits();
        return new HttpServerContext(
                limits,
                parts.threads(),
                parts.observer(),
                new AuditLog(parts.audits()),
                new RequestAuthenticator(parts.strangers(), parts.sessions()),
                parts.tickets(),
                parts.rates(),
                parts.checksAnswers(),
                new Semaphore(limits.requests()),
                new KeyedSemaphore(limits.callerRequests(), limits.requests()),
                new KeyedSemaphore(limits.unknownRequests() / 2, limits.unknownRequests()));
    }
}

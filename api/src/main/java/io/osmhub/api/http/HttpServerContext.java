package io.osmhub.api.http;

import io.osmhub.api.http.HubHttpServer.CallerControl;
import io.osmhub.api.http.HubHttpServer.HttpServerDependencies;
import java.util.concurrent.Semaphore;

/**
 * State shared by all requests of a server.
 *
 * @param requestPermits concurrent requests
 * @param callerPermits concurrent requests by caller
 * @param anonymousPermits concurrent unauthenticated requests by address: half for one address, which may be a proxy's
 */
record HttpServerContext(
        HttpServerDependencies dependencies,
        AuditLog audit,
        RequestAuthenticator authenticator,
        Semaphore requestPermits,
        KeyedSemaphore callerPermits,
        KeyedSemaphore anonymousPermits) {
    static HttpServerContext of(HttpServerDependencies dependencies) {
        HttpLimits limits = dependencies.limits();
        CallerControl callers = dependencies.callers();
        return new HttpServerContext(
                dependencies,
                new AuditLog(dependencies.audits()),
                new RequestAuthenticator(callers.throttle(), callers.sessions()),
                new Semaphore(limits.requests()),
                new KeyedSemaphore(limits.callerRequests(), limits.requests()),
                new KeyedSemaphore(limits.unknownRequests() / 2, limits.unknownRequests()));
    }

    HttpLimits limits() {
        return dependencies.limits();
    }

    HttpObserver observer() {
        return dependencies.observer();
    }
}

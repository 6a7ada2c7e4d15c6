package io.osmhub.workersync.apiserver;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Replaces requests that the credential may not send by permitted ones: the permissions of a role for OSM differ between OSM, KubeOne
 * and KKP. A forbidden request is tried again after 10 minutes, and whenever its replacement is forbidden too. Thread-safe.
 *
 * <p>Sources: operating-system-manager v1.11.2, {@code deploy/osm.yaml}; the addon of KubeOne 1.14; user clusters of KKP 2.31.
 */
public final class ForbiddenRequests {
    private static final Duration UNTIL_NEXT_ATTEMPT = Duration.ofMinutes(10);

    private final LongSupplier nanoTime;
    private final CurrentConnection currentConnection;
    private final Map<String, Rejection> forbidden = new ConcurrentHashMap<>();

    /**
     * When a request was forbidden.
     *
     * @param connection number of the connection whose credential may not send it
     */
    private record Rejection(long nanoTime, int connection) {}

    /**
     * Sends a request.
     *
     * @param <E> what is thrown beside an {@link ApiFailure}
     */
    @FunctionalInterface
    public interface Attempt<T, E extends Exception> {
        T send() throws ApiFailure, E;
    }

    /**
     * @param nanoTime monotonic time, in nanoseconds
     * @param currentConnection by which the requests are sent
     */
    public ForbiddenRequests(LongSupplier nanoTime, CurrentConnection currentConnection) {
        this.nanoTime = nanoTime;
        this.currentConnection = currentConnection;
    }

    /**
     * Sends the request, or its replacement if it is forbidden.
     *
     * @param kind of the request: those of one kind need the same permission
     * @throws ApiFailure of the request if the replacement is forbidden too
     */
    public <T, E extends Exception> T send(String kind, Attempt<T, E> request, Attempt<T, E> replacement)
            throws ApiFailure, E {
        if (isForbidden(kind)) {
            try {
                return replacement.send();
            } catch (ApiFailure failure) {
                if (!failure.isForbidden()) {
                    throw failure;
                }
                forbidden.remove(kind);
            }
        }
        int connection = currentConnection.changes();
        try {
            return request.send();
        } catch (ApiFailure failure) {
            if (!failure.isForbidden()) {
                throw failure;
            }
            T answer;
            try {
                answer = replacement.send();
            } catch (ApiFailure other) {
                throw other.isForbidden() ? failure : other;
            }
            forbidden.put(kind, new Rejection(nanoTime.getAsLong(), connection));
            return answer;
        }
    }

    /** Whether requests of this kind were forbidden in the last 10 minutes, over the current connection. */
    public boolean isForbidden(String kind) {
        Rejection rejection = forbidden.get(kind);
        return rejection != null
                && rejection.connection == currentConnection.changes()
                && nanoTime.getAsLong() - rejection.nanoTime < UNTIL_NEXT_ATTEMPT.toNanos();
    }

    /** A request of this kind, which the caller replaces, was forbidden. */
    public void setForbidden(String kind) {
        forbidden.put(kind, new Rejection(nanoTime.getAsLong(), currentConnection.changes()));
    }
}

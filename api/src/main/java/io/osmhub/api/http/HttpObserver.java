package io.osmhub.api.http;

import java.time.Duration;

/** Counts requests. Called on any thread; must not wait. */
public interface HttpObserver {
    /** Nobody counts. */
    HttpObserver NONE = new HttpObserver() {};

    /** Limits that a request can run into. */
    enum Limit {
        RATE,
        BODY,
        STREAMS
    }

    /** @param route template of the path, {@code other} for one that is not served */
    default void answered(String route, String method, int status, Duration took) {}

    /** A request was refused by a limit. */
    default void limited(Limit limit) {}
}

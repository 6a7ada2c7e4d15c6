package io.osmhub.api.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

    /**
     * A request was answered.
     *
     * @param route template of the path, {@code other} for one that is not served
     * @param method as the client wrote it, which may be any word
     * @param traceparent as the caller sent it, unchecked; null without
     */
    default void answered(String route, String method, int status, Duration took, @Nullable String traceparent) {}

    /** A request was refused by a limit. */
    default void limited(Limit limit) {}
}

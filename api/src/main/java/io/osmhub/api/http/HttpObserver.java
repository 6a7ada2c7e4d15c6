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
     * A request has come.
     *
     * @param traceparent as the caller sent it, unchecked; null without
     */
    default RequestTrace begins(@Nullable String traceparent) {
        return RequestTrace.NONE;
    }

    /**
     * A request was answered.
     *
     * @param route template of the path, {@code other} for one that is not served
     * @param method as the client wrote it, which may be any word
     * @param trace what {@link #begins} gave for it
     */
    default void answered(String route, String method, int status, Duration took, RequestTrace trace) {}

    /** A request was refused by a limit. */
    default void limited(Limit limit) {}
}

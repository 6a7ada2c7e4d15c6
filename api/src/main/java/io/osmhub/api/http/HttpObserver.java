package io.osmhub.api.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Observes requests. Called on any thread; must not block. */
public interface HttpObserver {
    /** Observes nothing. */
    HttpObserver NONE = new HttpObserver() {};

    /** Limits that can reject a request. */
    enum LimitKind {
        RATE,
        BODY
    }

    /**
     * A request was received.
     *
     * @param traceparent as sent by the caller, unvalidated; null without
     */
    default RequestTrace onRequest(@Nullable String traceparent) {
        return RequestTrace.NONE;
    }

    /**
     * A request was answered.
     *
     * @param route template of the path, {@code other} for an unknown one
     * @param method as sent by the client, possibly invalid
     * @param trace result of {@link #onRequest} for it
     */
    default void onResponse(String route, String method, int status, Duration took, RequestTrace trace) {}

    /** A limit rejected a request. */
    default void onLimited(LimitKind limit) {}
}

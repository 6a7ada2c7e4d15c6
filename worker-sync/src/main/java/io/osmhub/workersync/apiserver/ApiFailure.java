package io.osmhub.workersync.apiserver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A failed request. The message comes from the server or the network, is truncated, and contains no credential. */
public final class ApiFailure extends Exception {
    private static final long serialVersionUID = 1L;
    /** {@link #code()} of a request without a response. */
    public static final int NO_ANSWER = 0;

    /** Why a request failed; selects the message that users see. */
    public enum ApiFailureKind {
        /** The server responded with an error code. */
        ANSWERED,
        /** The host name could not be resolved. */
        NOT_RESOLVED,
        /** Could not connect, or the connection broke; a write may have been applied. */
        NO_CONNECTION,
        /** No response in time; a write may have been applied. */
        TIMED_OUT,
        /** The server's certificate was rejected. */
        TLS,
        /** The response is too large or not from a Kubernetes API server. */
        UNREADABLE,
        /** The hub cancelled the request: the client is closed, or may not write now. */
        CLOSED
    }

    private final ApiFailureKind kind;
    private final int code;
    private final String reason;
    private final @Nullable Duration retryAfter;

    /**
     * @param code HTTP status; {@link #NO_ANSWER} unless {@code why} is ANSWERED
     * @param reason {@code reason} of the API server's Status, for example {@code AlreadyExists}; empty if absent
     * @param message a single line
     * @param retryAfter as requested by the server, if at all
     */
    public ApiFailure(ApiFailureKind why, int code, String reason, String message, @Nullable Duration retryAfter) {
        super(message, null, false, false);
        this.kind = why;
        this.code = code;
        this.reason = reason;
        this.retryAfter = retryAfter;
    }

    public static ApiFailure withoutResponse(ApiFailureKind why, String message) {
        return new ApiFailure(why, NO_ANSWER, "", message, null);
    }

    public ApiFailureKind kind() {
        return kind;
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    public String text() {
        return String.valueOf(getMessage());
    }

    public boolean isNotFound() {
        return code == 404;
    }

    /** The namespace of the object to create does not exist. */
    public boolean isNamespaceNotFound() {
        return isNotFound() && text().startsWith("namespaces \"");
    }

    public boolean isAlreadyExists() {
        return code == 409 && reason.equals("AlreadyExists");
    }

    /** The object changed since it was read. */
    public boolean isConflict() {
        return code == 409 && !isAlreadyExists();
    }

    public boolean isUnauthorized() {
        return code == 401;
    }

    /** The caller lacks a permission, or an admission rule rejects the request. */
    public boolean isForbidden() {
        return code == 403 && !isDefinitionTerminating();
    }

    /** Also answered with 403: nothing can be created while the definition of its kind is being deleted. */
    private boolean isDefinitionTerminating() {
        return text().endsWith("custom resource definition is terminating");
    }

    /** The resource version expired: list again. */
    public boolean isGone() {
        return code == 410;
    }

    /** The server rejected the request, so it had no effect. After any other failure it may have had one. */
    public boolean isRejection() {
        return kind == ApiFailureKind.ANSWERED && code < 500;
    }

    /** The same request may succeed later without intervention. */
    public boolean isTransient() {
        return kind != ApiFailureKind.ANSWERED
                ? kind != ApiFailureKind.CLOSED
                : code == 409 || code == 429 || code >= 500 || isDefinitionTerminating();
    }
}

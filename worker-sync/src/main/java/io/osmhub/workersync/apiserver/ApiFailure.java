package io.osmhub.workersync.apiserver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request that was not answered with success. Its message is the server's or the network's own, cut, and holds no credential. */
public final class ApiFailure extends Exception {
    private static final long serialVersionUID = 1L;
    /** {@link #code()} of a request without an answer. */
    public static final int NO_ANSWER = 0;

    /** Why a request got no answer; decides what people are told. */
    public enum Cause {
        /** There was an answer, with an error code. */
        ANSWERED,
        /** The name has no address. */
        NOT_RESOLVED,
        /** No connection, or it broke; whether a write arrived is not known. */
        NO_CONNECTION,
        /** A connection, but no answer in time; whether a write arrived is not known. */
        TIMED_OUT,
        /** The server's certificate was not accepted. */
        TLS,
        /** An answer that is no answer of a Kubernetes API server, or too large. */
        UNREADABLE,
        /** The hub gave up by itself: the client is closed, or it may not write now. */
        CLOSED
    }

    private final Cause why;
    private final int code;
    private final String reason;
    private final @Nullable Duration retryAfter;

    /**
     * A failure.
     *
     * @param code HTTP status; {@link #NO_ANSWER} unless {@code why} is ANSWERED
     * @param reason {@code reason} of the API server's Status, for example {@code AlreadyExists}; empty when it gave none
     * @param message one line for people
     * @param retryAfter what the server asked for, if it did
     */
    public ApiFailure(Cause why, int code, String reason, String message, @Nullable Duration retryAfter) {
        super(message, null, false, false);
        this.why = why;
        this.code = code;
        this.reason = reason;
        this.retryAfter = retryAfter;
    }

    /** A failure without an answer. */
    public static ApiFailure noAnswer(Cause why, String message) {
        return new ApiFailure(why, NO_ANSWER, "", message, null);
    }

    public Cause why() {
        return why;
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

    /** The namespace of the object to be created does not exist. */
    public boolean isNamespaceNotFound() {
        return isNotFound() && text().startsWith("namespaces \"");
    }

    /** There is an object of that name already. */
    public boolean isAlreadyExists() {
        return code == 409 && reason.equals("AlreadyExists");
    }

    /** The object has changed since it was read. */
    public boolean isConflict() {
        return code == 409 && !isAlreadyExists();
    }

    public boolean isUnauthorized() {
        return code == 401;
    }

    public boolean isForbidden() {
        return code == 403;
    }

    /** A resource version that the server no longer knows: list again. */
    public boolean isGone() {
        return code == 410;
    }

    /** The server refused: what was asked for is not done. After any other failure it may be. */
    public boolean isRefusal() {
        return why == Cause.ANSWERED && code < 500;
    }

    /** The same request may succeed later without anybody's doing. */
    public boolean mayPass() {
        return why != Cause.ANSWERED ? why != Cause.CLOSED : code == 409 || code == 429 || code >= 500;
    }
}

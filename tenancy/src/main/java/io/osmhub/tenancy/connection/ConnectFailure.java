package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.TlsRefusal;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Why no connection came about, or why one is given up. */
final class ConnectFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** Decides what people are told and how long to wait. */
    enum Kind {
        /** The name has no address. */
        NOT_RESOLVED,
        /** The policy allows no connection to that address. */
        ENDPOINT_REFUSED,
        /** Refused, reset, or not made in time. */
        NO_CONNECTION,
        /** A connection, but no answer. */
        NOT_RESPONDING,
        /** The certificate was not accepted. */
        TLS,
        /** The credential was not accepted. */
        UNAUTHORIZED,
        /** Another cluster than before. */
        OTHER_CLUSTER,
        /** Less permissions than the credential that is in use. */
        LESS_PERMISSIONS,
        /** Answers that there are too many requests. */
        THROTTLED,
        /** Answers, but with errors or not as an API server. */
        ANSWERS_ERRORS;

        /** Trying again changes nothing, so people are told at once. */
        boolean isDefinite() {
            return switch (this) {
                case ENDPOINT_REFUSED, TLS, UNAUTHORIZED, OTHER_CLUSTER, LESS_PERMISSIONS -> true;
                case NOT_RESOLVED, NO_CONNECTION, NOT_RESPONDING, THROTTLED, ANSWERS_ERRORS -> false;
            };
        }
    }

    private final Kind kind;
    private final String cause;
    private final transient @Nullable Duration retryAfter;
    private final transient @Nullable TlsRefusal tls;
    private final transient @Nullable RefusedAddress address;

    /** An address that the policy refuses, and its class in a word. */
    record RefusedAddress(String address, String addressClass) {}

    private ConnectFailure(
            Kind kind,
            String cause,
            @Nullable Duration retryAfter,
            @Nullable TlsRefusal tls,
            @Nullable RefusedAddress address) {
        super(cause, null, false, false);
        this.kind = kind;
        this.cause = cause;
        this.retryAfter = retryAfter;
        this.tls = tls;
        this.address = address;
    }

    static ConnectFailure of(Kind kind, String cause) {
        return new ConnectFailure(kind, cause, null, null, null);
    }

    static ConnectFailure refused(String cause, RefusedAddress address) {
        return new ConnectFailure(Kind.ENDPOINT_REFUSED, cause, null, null, address);
    }

    static ConnectFailure of(ApiFailure failure, @Nullable TlsRefusal tls) {
        Kind kind =
                switch (failure.why()) {
                    case ANSWERED ->
                        switch (failure.code()) {
                            case 401 -> Kind.UNAUTHORIZED;
                            case 429 -> Kind.THROTTLED;
                            default -> Kind.ANSWERS_ERRORS;
                        };
                    case UNREADABLE -> Kind.ANSWERS_ERRORS;
                    case NOT_RESOLVED -> Kind.NOT_RESOLVED;
                    case NO_CONNECTION, CLOSED -> Kind.NO_CONNECTION;
                    case TIMED_OUT -> Kind.NOT_RESPONDING;
                    case TLS -> Kind.TLS;
                };
        String cause =
                failure.why() == ApiFailure.Cause.ANSWERED ? failure.code() + ": " + failure.text() : failure.text();
        return new ConnectFailure(kind, cause, failure.retryAfter(), kind == Kind.TLS ? tls : null, null);
    }

    Kind kind() {
        return kind;
    }

    String words() {
        return cause;
    }

    @Nullable Duration retryAfter() {
        return retryAfter;
    }

    @Nullable TlsRefusal tls() {
        return tls;
    }

    @Nullable RefusedAddress address() {
        return address;
    }
}

package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.CertificateFailure;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Why a connection failed or was closed. */
final class ConnectFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** Determines the message and the retry delay. */
    enum Kind {
        /** The host name could not be resolved. */
        NOT_RESOLVED,
        /** The egress policy forbids the address. */
        ENDPOINT_REFUSED,
        /** Refused, reset, or timed out. */
        NO_CONNECTION,
        /** Connected, but no response. */
        NOT_RESPONDING,
        /** The certificate was rejected. */
        TLS,
        /** The credential was rejected. */
        UNAUTHORIZED,
        /** Not the cluster known before. */
        OTHER_CLUSTER,
        /** Fewer permissions than the credential in use. */
        LESS_PERMISSIONS,
        /** Too many requests. */
        THROTTLED,
        /** Error responses, or not an API server. */
        ANSWERS_ERRORS;

        /** Retrying cannot help, so it is reported at once. */
        boolean isDefinite() {
            return switch (this) {
                case ENDPOINT_REFUSED, TLS, UNAUTHORIZED, OTHER_CLUSTER, LESS_PERMISSIONS -> true;
                case NOT_RESOLVED, NO_CONNECTION, NOT_RESPONDING, THROTTLED, ANSWERS_ERRORS -> false;
            };
        }

        /** The API server did not respond. */
        boolean isUnanswered() {
            return this == NOT_RESOLVED || this == NO_CONNECTION || this == NOT_RESPONDING;
        }
    }

    private final Kind kind;
    private final String cause;
    private final transient @Nullable Duration retryAfter;
    private final transient @Nullable CertificateFailure tls;
    private final transient @Nullable RefusedAddress address;

    record RefusedAddress(String address, String addressClass) {}

    private ConnectFailure(
            Kind kind,
            String cause,
            @Nullable Duration retryAfter,
            @Nullable CertificateFailure tls,
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

    static ConnectFailure of(ApiFailure failure, @Nullable CertificateFailure tls) {
        Kind kind =
                switch (failure.kind()) {
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
        String cause = failure.kind() == ApiFailure.ApiFailureKind.ANSWERED
                ? failure.code() + ": " + failure.text()
                : failure.text();
        return new ConnectFailure(kind, cause, failure.retryAfter(), kind == Kind.TLS ? tls : null, null);
    }

    Kind kind() {
        return kind;
    }

    String message() {
        return cause;
    }

    @Nullable Duration retryAfter() {
        return retryAfter;
    }

    @Nullable CertificateFailure tls() {
        return tls;
    }

    @Nullable RefusedAddress address() {
        return address;
    }
}

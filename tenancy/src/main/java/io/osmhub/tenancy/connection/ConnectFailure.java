package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.CertificateFailure;
import io.osmhub.tenancy.connection.ConnectionStatus.Phase;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Why a connection failed or was closed. */
final class ConnectFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** Determines the message and the retry delay. */
    enum Kind {
        /** The host name could not be resolved. */
        NOT_RESOLVED(Phase.UNREACHABLE, false),
        /** The egress policy forbids the address. */
        ENDPOINT_REFUSED(Phase.UNAUTHORIZED, true),
        /** Refused, reset, or timed out. */
        NO_CONNECTION(Phase.UNREACHABLE, false),
        /** Connected, but no response. */
        NOT_RESPONDING(Phase.UNREACHABLE, false),
        /** The certificate was rejected. */
        TLS(Phase.UNREACHABLE, true),
        /** The credential was rejected. */
        UNAUTHORIZED(Phase.UNAUTHORIZED, true),
        /** Not the cluster known before. */
        OTHER_CLUSTER(Phase.IDENTITY_CHANGED, true),
        /** Fewer permissions than the credential in use. */
        LESS_PERMISSIONS(Phase.UNAUTHORIZED, true),
        /** Too many requests. */
        THROTTLED(Phase.UNREACHABLE, false),
        /** Error responses, or not an API server. */
        ANSWERS_ERRORS(Phase.UNREACHABLE, false);

        private final Phase phase;
        private final boolean isDefinite;

        Kind(Phase phase, boolean isDefinite) {
            this.phase = phase;
            this.isDefinite = isDefinite;
        }

        Phase phase() {
            return phase;
        }

        /** Retrying cannot help, so it is reported at once. */
        boolean isDefinite() {
            return isDefinite;
        }

        /** A matter of the credential rather than of the connection. */
        boolean isAboutCredential() {
            return phase == Phase.UNAUTHORIZED;
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

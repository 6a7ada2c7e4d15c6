package io.osmhub.tenancy.client;

import static io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind.CLOSED;
import static io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind.NOT_RESOLVED;
import static io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind.NO_CONNECTION;
import static io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind.TIMED_OUT;
import static io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind.TLS;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Explains why a request got no response. */
final class TransportFailures {
    private TransportFailures() {}

    /** @param closed whether the client is closed, which then is the reported cause */
    static ApiFailure of(Throwable thrown, boolean closed) {
        if (closed) {
            return ApiFailure.withoutResponse(CLOSED, "connection closed by the hub");
        }
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            ApiFailure known = known(at);
            if (known != null) {
                return known;
            }
        }
        Throwable last = thrown;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return ApiFailure.withoutResponse(NO_CONNECTION, describe(last));
    }

    private static @Nullable ApiFailure known(Throwable thrown) {
        return switch (thrown) {
            case ApiFailure own -> own;
            case UnknownHostException e -> ApiFailure.withoutResponse(NOT_RESOLVED, describe(e));
            case KubeconfigTrustManager.UntrustedServerException e ->
                ApiFailure.withoutResponse(
                        TLS,
                        "certificate rejected: "
                                + MessageFormatter.quote(e.refusal().toString()));
            case SslHandshakeTimeoutException e -> ApiFailure.withoutResponse(NO_CONNECTION, "TLS handshake timed out");
            case NotSslRecordException e ->
                ApiFailure.withoutResponse(TLS, "the server does not speak TLS on this port");
            case SSLException e -> tls(e);
            case ConnectTimeoutException e -> ApiFailure.withoutResponse(NO_CONNECTION, "connection timed out");
            case NoRouteToHostException e -> ApiFailure.withoutResponse(NO_CONNECTION, "no route to host");
            case ConnectException e ->
                ApiFailure.withoutResponse(
                        NO_CONNECTION, describe(e).contains("refused") ? "connection refused" : describe(e));
            case SocketTimeoutException e -> ApiFailure.withoutResponse(TIMED_OUT, describe(e));
            case TimeoutException e -> ApiFailure.withoutResponse(TIMED_OUT, "request timed out");
            // Its goAway() throws, because it reads memory that Vert.x 4.5.27 has already released.
            case HttpClosedException e -> ApiFailure.withoutResponse(NO_CONNECTION, "connection closed");
            case StreamResetException e ->
                ApiFailure.withoutResponse(
                        NO_CONNECTION, "the server reset the request (HTTP/2 code " + e.getCode() + ")");
            case ClosedChannelException e -> ApiFailure.withoutResponse(NO_CONNECTION, "connection closed");
            case CancellationException e -> ApiFailure.withoutResponse(CLOSED, "cancelled by the hub");
            default -> null;
        };
    }

    private static @Nullable ApiFailure tls(SSLException failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            // The cause is nested, or the connection broke during the TLS handshake.
            if (cause instanceof IOException || cause instanceof KubeconfigTrustManager.UntrustedServerException) {
                return null;
            }
        }
        String words = describe(failure);
        return words.contains("closed")
                ? ApiFailure.withoutResponse(NO_CONNECTION, "connection closed during the TLS handshake")
                : ApiFailure.withoutResponse(TLS, words);
    }

    private static String describe(Throwable thrown) {
        String message = thrown.getMessage();
        return message == null || message.isBlank()
                ? thrown.getClass().getSimpleName()
                : MessageFormatter.quote(message);
    }

    /** Why a certificate was rejected; null if that was not the cause. */
    static @Nullable CertificateFailure certificateFailure(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof KubeconfigTrustManager.UntrustedServerException untrusted) {
                return untrusted.refusal();
            }
        }
        return null;
    }
}

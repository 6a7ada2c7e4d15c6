package io.osmhub.tenancy.client;

import static io.osmhub.workersync.apiserver.ApiFailure.Cause.CLOSED;
import static io.osmhub.workersync.apiserver.ApiFailure.Cause.NOT_RESOLVED;
import static io.osmhub.workersync.apiserver.ApiFailure.Cause.NO_CONNECTION;
import static io.osmhub.workersync.apiserver.ApiFailure.Cause.TIMED_OUT;
import static io.osmhub.workersync.apiserver.ApiFailure.Cause.TLS;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.osmhub.core.problem.Message;
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

/** Puts into words why a request got no answer. */
final class Failures {
    private Failures() {}

    /** @param closed whether the client is closed: then that is the cause, whatever broke first */
    static ApiFailure of(Throwable thrown, boolean closed) {
        if (closed) {
            return ApiFailure.noAnswer(CLOSED, "the connection is being closed by the hub");
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
        return ApiFailure.noAnswer(NO_CONNECTION, words(last));
    }

    private static @Nullable ApiFailure known(Throwable thrown) {
        return switch (thrown) {
            case UnknownHostException e -> ApiFailure.noAnswer(NOT_RESOLVED, words(e));
            case ServerTrust.Untrusted e ->
                ApiFailure.noAnswer(
                        TLS,
                        "certificate not accepted: " + Message.clean(e.refusal().toString()));
            case SslHandshakeTimeoutException e ->
                ApiFailure.noAnswer(NO_CONNECTION, "the TLS handshake was not finished in time");
            case NotSslRecordException e -> ApiFailure.noAnswer(TLS, "the server does not speak TLS on this port");
            case SSLException e -> tls(e);
            case ConnectTimeoutException e -> ApiFailure.noAnswer(NO_CONNECTION, "the connection was not made in time");
            case NoRouteToHostException e -> ApiFailure.noAnswer(NO_CONNECTION, "no route to host");
            case ConnectException e ->
                ApiFailure.noAnswer(NO_CONNECTION, words(e).contains("refused") ? "connection refused" : words(e));
            case SocketTimeoutException e -> ApiFailure.noAnswer(TIMED_OUT, words(e));
            case TimeoutException e -> ApiFailure.noAnswer(TIMED_OUT, "no answer in time");
            // Its goAway() reads memory that Vert.x 4.5.27 has given back already, and throws.
            case HttpClosedException e -> ApiFailure.noAnswer(NO_CONNECTION, "the connection was closed");
            case StreamResetException e ->
                ApiFailure.noAnswer(NO_CONNECTION, "the server gave up the request (HTTP/2 code " + e.getCode() + ")");
            case ClosedChannelException e -> ApiFailure.noAnswer(NO_CONNECTION, "the connection was closed");
            case CancellationException e -> ApiFailure.noAnswer(CLOSED, "given up by the hub");
            default -> null;
        };
    }

    private static @Nullable ApiFailure tls(SSLException failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            // The reason stands deeper, or the connection broke while TLS was being made.
            if (cause instanceof IOException || cause instanceof ServerTrust.Untrusted) {
                return null;
            }
        }
        String words = words(failure);
        return words.contains("closed")
                ? ApiFailure.noAnswer(NO_CONNECTION, "the connection was closed during the TLS handshake")
                : ApiFailure.noAnswer(TLS, words);
    }

    private static String words(Throwable thrown) {
        String message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : Message.clean(message);
    }

    /** What a certificate was refused for; null when that was not the cause. */
    static @Nullable TlsRefusal tlsRefusal(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof ServerTrust.Untrusted untrusted) {
                return untrusted.refusal();
            }
        }
        return null;
    }
}

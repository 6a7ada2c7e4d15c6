package io.osmhub.workersync.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JacksonException;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.osmhub.core.problem.MessageFormatter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One API server with one credential. Thread-safe. Does not retry: the caller knows whether a request can be repeated. */
public interface KubeApi extends ObjectSource {
    /**
     * Sends one typed or generic request and waits for the response. Call it on a virtual thread, never on an event loop.
     *
     * @return what {@code request} returns; fabric8 returns null for a missing object
     * @throws ApiFailure for an error response, or none
     */
    <T extends @Nullable Object> T call(Function<KubernetesClient, T> request) throws ApiFailure;

    /**
     * Sends a request and waits for the response. Call it on a virtual thread, never on an event loop.
     *
     * @return the body of a 2xx response
     * @throws ApiFailure for any other response, or none
     */
    byte[] send(ApiRequest request) throws ApiFailure;

    /** The same server over the same connection; the guard decides about the writes, in addition to guards of this one. */
    KubeApi guardedBy(WriteGuard guard);

    /** Sends a typed request. Omits fabric8's message, which contains the whole response. */
    static <T extends @Nullable Object> T call(
            KubernetesClient client, UnaryOperator<String> redactor, Function<KubernetesClient, T> request)
            throws ApiFailure {
        try {
            return request.apply(client);
        } catch (KubernetesClientException e) {
            // 0 or -1 if there was no response.
            if (e.getCode() > ApiFailure.NO_ANSWER) {
                Status status = e.getStatus();
                byte[] body = status == null
                        ? new byte[0]
                        : client.getKubernetesSerialization().asJson(status).getBytes(UTF_8);
                throw ErrorResponses.of(new StandardHttpHeaders(Map.of()), e.getCode(), body, redactor);
            }
            throw withoutResponse(e);
        }
    }

    private static ApiFailure withoutResponse(KubernetesClientException thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ApiFailure failure) {
                return failure;
            }
            if (cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException)) {
                Thread.currentThread().interrupt();
                return ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "cancelled by the hub");
            }
        }
        return thrown.getCause() instanceof IOException network && !(network instanceof JacksonException)
                ? ApiFailure.withoutResponse(
                        ApiFailure.ApiFailureKind.NO_CONNECTION,
                        MessageFormatter.quote(Objects.requireNonNullElse(
                                network.getMessage(), network.getClass().getSimpleName())))
                : ApiFailure.withoutResponse(
                        ApiFailure.ApiFailureKind.UNREADABLE, "unexpected response: not the requested object");
    }

    interface Watch {
        /** Stops the watch; delivers nothing afterwards. Idempotent. */
        void stop();
    }

    /** Must not block. */
    interface WatchLineHandler {
        /** The server accepted the watch. */
        void onOpened();

        /**
         * One event: a line of UTF-8 JSON without its line end.
         *
         * @param redactor removes the credential from server text before it is shown, because an error may repeat it
         */
        void onLine(byte[] json, UnaryOperator<String> redactor);

        /**
         * One event that is too large to be kept; the watch continues.
         *
         * @param why the limit, as a clause
         */
        default void onTooLarge(MetadataScanner event, String why) {
            onFailed(ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.UNREADABLE, "an event of the watch: " + why));
        }

        /** The server closed the stream normally, as it does every few minutes. */
        void onEnded();

        /** The stream failed or was rejected. No further calls follow. */
        void onFailed(ApiFailure failure);
    }
}

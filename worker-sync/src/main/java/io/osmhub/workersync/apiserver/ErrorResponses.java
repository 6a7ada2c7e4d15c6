package io.osmhub.workersync.apiserver;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.http.HttpHeaders;
import io.osmhub.core.problem.MessageFormatter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads error responses of API servers. */
public final class ErrorResponses {
    /** Largest error response that is read. */
    public static final int MOST_BYTES = 64 * 1024;

    private static final int UNKNOWN_CODE = 500;

    private static final ObjectMapper JSON = new ObjectMapper();
    // Limits how long a server may pause the hub.
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private ErrorResponses() {}

    /** @param redactor removes the credential, which some servers repeat in their messages */
    public static ApiFailure of(HttpHeaders headers, int code, byte[] body, UnaryOperator<String> redactor) {
        String retryAfter = headers.header("Retry-After");
        Instant serverTime = retryAfter == null ? null : date(headers.header("Date"));
        return redacted(of(code, body, retryAfter, serverTime == null ? Instant.now() : serverTime), redactor);
    }

    /**
     * The Status in an ERROR event of a watch.
     *
     * @throws IOException if its code cannot be a code
     */
    public static ApiFailure ofEvent(JsonNode status, UnaryOperator<String> redactor) throws IOException {
        JsonNode code = status.path("code");
        if (code.isIntegralNumber() && !code.canConvertToInt()) {
            throw new IOException("a Status with an invalid code");
        }
        return redacted(of(code.asInt(UNKNOWN_CODE), status, null), redactor);
    }

    private static ApiFailure redacted(ApiFailure failure, UnaryOperator<String> redactor) {
        return new ApiFailure(
                failure.kind(),
                failure.code(),
                redactor.apply(failure.reason()),
                redactor.apply(failure.text()),
                failure.retryAfter());
    }

    public static boolean isJson(HttpHeaders headers) {
        String type = headers.header("Content-Type");
        return type != null && type.startsWith("application/json");
    }

    public static ApiFailure notAnApiServer(HttpHeaders headers, UnaryOperator<String> redactor) {
        String type = headers.header("Content-Type");
        return ApiFailure.withoutResponse(
                ApiFailure.ApiFailureKind.UNREADABLE,
                "unexpected content type: " + (type == null ? "none" : redactor.apply(MessageFormatter.quote(type)))
                        + ", expected JSON from a Kubernetes API server");
    }

    /**
     * @param body possibly truncated
     * @param now the server's time if known, else the hub's
     */
    public static ApiFailure of(int code, byte[] body, @Nullable String retryAfter, Instant now) {
        return of(code, status(body), retryAfter(retryAfter, now));
    }

    /** @param retryAfter of the header; null if absent */
    private static ApiFailure of(int code, JsonNode status, @Nullable Duration retryAfter) {
        String reason = MessageFormatter.quote(status.path("reason").asText(""));
        String message = MessageFormatter.quote(status.path("message").asText(""));
        Duration wait = retryAfter;
        if (wait == null) {
            int seconds = status.path("details").path("retryAfterSeconds").asInt(0);
            wait = seconds > 0 ? shortened(Duration.ofSeconds(seconds)) : null;
        }
        return new ApiFailure(
                ApiFailure.ApiFailureKind.ANSWERED, code, reason, message.isEmpty() ? describe(code) : message, wait);
    }

    /** Anything but a Status, such as a proxy's page, counts as empty. */
    private static JsonNode status(byte[] body) {
        try {
            JsonNode tree = JSON.readTree(body);
            return tree.isObject() ? tree : JSON.createObjectNode();
        } catch (JacksonException e) {
            return JSON.createObjectNode();
        } catch (IOException e) {
            throw new IllegalStateException("unexpected I/O error on in-memory data", e);
        }
    }

    private static String describe(int code) {
        return code >= 300 && code < 400
                ? "the server redirected (" + code + "); redirects are not followed"
                : "the server responded " + code + " without a message";
    }

    /** Seconds or a date; null if absent or invalid. */
    static @Nullable Duration retryAfter(@Nullable String header, Instant now) {
        if (header == null || header.isBlank()) {
            return null;
        }
        String text = header.trim();
        if (text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return shortened(Duration.ofSeconds(Long.parseLong(text)));
        }
        Instant date = date(text);
        return date == null ? null : shortened(Duration.between(now, date));
    }

    private static Duration shortened(Duration wait) {
        return wait.isNegative() ? Duration.ZERO : wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }

    /** An HTTP date; null if absent or invalid. */
    public static @Nullable Instant date(@Nullable String header) {
        try {
            return header == null ? null : Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(header.trim()));
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}

package io.osmhub.tenancy.client;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.problem.Message;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Reads what an API server says when it refuses. */
final class Refusals {
    private static final ObjectMapper JSON = new ObjectMapper();
    // A server may not silence the hub for longer.
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private Refusals() {}

    /**
     * @param body as far as it was read
     * @param now the server's time if it told it, else ours
     */
    static ApiFailure of(int code, byte[] body, @Nullable String retryAfter, Instant now) {
        JsonNode status = status(body);
        String reason = Message.clean(status.path("reason").asText(""));
        String message = Message.clean(status.path("message").asText(""));
        Duration wait = retryAfter(retryAfter, now);
        if (wait == null) {
            int seconds = status.path("details").path("retryAfterSeconds").asInt(0);
            wait = seconds > 0 ? shortened(Duration.ofSeconds(seconds)) : null;
        }
        return new ApiFailure(ApiFailure.Cause.ANSWERED, code, reason, message.isEmpty() ? words(code) : message, wait);
    }

    /** Anything that is no Status, such as a page of a proxy, counts as an answer without words. */
    private static JsonNode status(byte[] body) {
        try {
            JsonNode tree = JSON.readTree(body);
            return tree.isObject() ? tree : JSON.createObjectNode();
        } catch (JacksonException e) {
            return JSON.createObjectNode();
        } catch (IOException e) {
            throw new IllegalStateException("reading from memory does not fail", e);
        }
    }

    private static String words(int code) {
        return code >= 300 && code < 400
                ? "the server redirects (" + code + "), which the hub does not follow"
                : "the server answered " + code + " without saying why";
    }

    /** Seconds, or a date. Null when there is none or it cannot be read. */
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

    /** A date as in HTTP headers; null when there is none or it cannot be read. */
    static @Nullable Instant date(@Nullable String header) {
        try {
            return header == null ? null : Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(header.trim()));
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}

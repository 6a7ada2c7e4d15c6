package io.osmhub.api.http;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The response of an operation.
 *
 * @param body a record of the schema, written as JSON; {@link ReplyContent}, sent unchanged; or null for none
 * @param headers in addition to standard ones (ETag of the body, X-Request-Id, rate limit, cache and security); each line of a value
 *     is sent as a separate header
 * @param identity what the ETag is computed from if it is not the body: responses with equal ones are equivalent
 */
public record Reply(
        int status,
        @Nullable Object body,
        Map<String, String> headers,
        @Nullable Object identity) {
    public Reply {
        headers = Map.copyOf(headers);
    }

    public Reply(int status, @Nullable Object body, Map<String, String> headers) {
        this(status, body, headers, null);
    }

    public static Reply ok(Object body) {
        return new Reply(200, body, Map.of());
    }

    /** @param location path of the new object */
    public static Reply created(String location, Object body) {
        return new Reply(201, body, Map.of("Location", location));
    }

    public static Reply accepted(Object body) {
        return new Reply(202, body, Map.of());
    }

    public static Reply noContent() {
        return new Reply(204, null, Map.of());
    }

    /** The same with an ETag computed from another record, without what differs in each response. */
    public Reply withIdentity(Object value) {
        return new Reply(status, body, headers, value);
    }

    /** The same with an additional header. */
    public Reply withHeader(String header, String value) {
        Map<String, String> all = new HashMap<>(headers);
        all.put(header, value);
        return new Reply(status, body, all, identity);
    }

    /** The same with an additional cookie. */
    public Reply withCookie(String value) {
        String before = headers.get("Set-Cookie");
        return withHeader("Set-Cookie", before == null ? value : before + "\n" + value);
    }

    /** Raw bytes, for example a page. */
    public record ReplyContent(String mediaType, byte[] bytes) {}
}

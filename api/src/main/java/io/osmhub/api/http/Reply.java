package io.osmhub.api.http;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an operation answers.
 *
 * @param body a record of the schema, written as JSON; {@link Content}, sent as it is; {@link Streaming}; or null for none
 * @param headers besides those that every answer has (ETag of the body, X-Request-Id, rate limit, cache and security)
 */
public record Reply(int status, @Nullable Object body, Map<String, String> headers) {
    public Reply {
        headers = Map.copyOf(headers);
    }

    public static Reply ok(Object body) {
        return new Reply(200, body, Map.of());
    }

    /** @param location path of what was made */
    public static Reply created(String location, Object body) {
        return new Reply(201, body, Map.of("Location", location));
    }

    public static Reply accepted(Object body) {
        return new Reply(202, body, Map.of());
    }

    public static Reply noContent() {
        return new Reply(204, null, Map.of());
    }

    /** Server-sent events. */
    public static Reply stream(Streaming events) {
        return new Reply(200, events, Map.of());
    }

    /** The same with one more header. */
    public Reply with(String header, String value) {
        Map<String, String> all = new HashMap<>(headers);
        all.put(header, value);
        return new Reply(status, body, all);
    }

    /** Bytes that are sent as they are, for example a page. */
    public record Content(String mediaType, byte[] bytes) {}

    /** An answer that goes on until one side ends it. */
    public interface Streaming {
        /** Writes until there is no more or the client is gone. On the virtual thread of the request, so it may wait. */
        void run(Sink sink) throws InterruptedException;
    }

    /** Where a stream writes to. */
    public interface Sink {
        /**
         * Sends text (for server-sent events whole events with their empty line) and waits until the client can take more.
         *
         * @return false once the client is gone or the hub stops; nothing is sent then
         */
        boolean send(String text) throws InterruptedException;

        /** Whether the client is gone or the hub stops. */
        boolean gone();

        /** Runs when the client goes or the hub stops, also when that was before; on any thread, must not wait. */
        void whenGone(Runnable task);
    }
}

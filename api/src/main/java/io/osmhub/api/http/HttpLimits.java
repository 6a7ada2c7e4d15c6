package io.osmhub.api.http;

import java.time.Duration;

/**
 * What one client may take of the server, so that the others have theirs.
 *
 * @param bodyBytes most bytes of a body
 * @param headerBytes most bytes of all headers, and of the first line
 * @param connections most connections; the one that was idle for longest makes room for a new one
 * @param requests most requests under way, event streams not counted
 * @param callerRequests most of them for one caller
 * @param unknownRequests most of them for who is not signed in and sends a form or a body; half of it for one address
 * @param streamsPerConnection most HTTP/2 streams of a connection
 * @param eventStreams most event streams of a caller
 * @param allEventStreams most event streams; fewer than connections, so that there is a way in beside them
 * @param firstRequest until the first request of a connection has come
 * @param idle until the next one has come
 * @param receive until a body has come
 * @param send until an answer, or the next piece of an event stream, is taken
 */
public record HttpLimits(
        long bodyBytes,
        int headerBytes,
        int connections,
        int requests,
        int callerRequests,
        int unknownRequests,
        int streamsPerConnection,
        int eventStreams,
        int allEventStreams,
        Duration firstRequest,
        Duration idle,
        Duration receive,
        Duration send) {
    /** What holds unless something else is configured. */
    public static final HttpLimits USUAL = new HttpLimits(
            2 * 1024 * 1024,
            16_384,
            2_048,
            1_024,
            256,
            256,
            100,
            20,
            1_024,
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(20),
            Duration.ofSeconds(30));

    /** The same with another limit for bodies. */
    public HttpLimits withBodyBytes(long bytes) {
        return new HttpLimits(
                bytes,
                headerBytes,
                connections,
                requests,
                callerRequests,
                unknownRequests,
                streamsPerConnection,
                eventStreams,
                allEventStreams,
                firstRequest,
                idle,
                receive,
                send);
    }
}

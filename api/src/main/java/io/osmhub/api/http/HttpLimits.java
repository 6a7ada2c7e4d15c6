package io.osmhub.api.http;

import java.time.Duration;

/**
 * Limits that keep one client from starving others.
 *
 * @param bodyBytes maximum body size
 * @param headerBytes maximum size of all headers, and of the request line
 * @param connections maximum connections; a new one evicts the longest idle
 * @param requests maximum concurrent requests
 * @param callerRequests maximum of them per caller
 * @param unknownRequests maximum of them that are unauthenticated with a form or body; half of it per address
 * @param streamsPerConnection maximum HTTP/2 streams per connection
 * @param firstRequest timeout of the first request of a connection
 * @param idle timeout between requests
 * @param receive timeout of a body
 * @param send write timeout of a response
 */
public record HttpLimits(
        long bodyBytes,
        int headerBytes,
        int connections,
        int requests,
        int callerRequests,
        int unknownRequests,
        int streamsPerConnection,
        Duration firstRequest,
        Duration idle,
        Duration receive,
        Duration send) {
    /** The usual limits. */
    public static HttpLimits usual(long bodyBytes) {
        return new HttpLimits(
                bodyBytes,
                16_384,
                2_048,
                1_024,
                256,
                256,
                100,
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(20),
                Duration.ofSeconds(30));
    }
}

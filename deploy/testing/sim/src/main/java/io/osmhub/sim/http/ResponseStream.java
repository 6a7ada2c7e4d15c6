package io.osmhub.sim.http;

import java.util.function.Consumer;

/** A response body that arrives in pieces, such as a watch. */
@FunctionalInterface
public interface ResponseStream {
    /**
     * Starts to send, on the loop.
     *
     * @param end called once if the server ends the response
     * @return ends the stream, for a client that has gone
     */
    Runnable start(EventLoop loop, Consumer<byte[]> write, Runnable end);
}

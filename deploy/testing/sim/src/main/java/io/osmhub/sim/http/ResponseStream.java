package io.osmhub.sim.http;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A response body that arrives in pieces, such as a watch. */
public interface ResponseStream {
    /**
     * Starts to send, on the loop.
     *
     * @param write its result completes when the client's connection has taken the piece
     * @param end called once if the server ends the response
     * @return ends the stream, for a client that has gone
     */
    Runnable start(EventLoop loop, Function<byte[], CompletionStage<?>> write, Runnable end);

    /** Releases what it holds, instead of a start. */
    default void discard() {}
}

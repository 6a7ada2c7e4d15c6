package io.osmhub.workersync.apiserver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;

/**
 * One API server with one credential. Safe for use by many threads. Nothing is retried here: who calls knows what a repeated
 * request would mean.
 */
public interface KubeApi {
    /**
     * Sends a request and waits for the whole answer; to be called on a virtual thread, never on an event loop.
     *
     * @return the body of a 2xx answer
     * @throws ApiFailure for every other answer, and for none
     */
    byte[] send(ApiRequest request) throws ApiFailure;

    /**
     * Sends a list and passes each of its items on while the others are still to be received; waits for all, so only on a virtual thread.
     * The time limit is for periods without data.
     *
     * @return the list without its items
     * @throws IOException when an item is not an object, or {@code items} throws it
     */
    default byte[] list(ApiRequest request, ItemSplitter.Items items) throws ApiFailure, IOException {
        ItemSplitter splitter = new ItemSplitter(
                Integer.MAX_VALUE, MemoryBudget.unlimited().share(), ReceivedBytes.Taking.AT_ONCE, items);
        splitter.add(ByteBuffer.wrap(send(request)));
        return splitter.rest();
    }

    /**
     * Begins a watch and returns at once.
     *
     * @param lines receives the events, one call at a time, mostly on an event loop
     */
    Watch watch(ApiRequest request, WatchLines lines);

    /** A watch that runs. */
    interface Watch {
        /** Ends it; nothing is delivered afterwards. May be called more than once. */
        void stop();
    }

    /** Receives a watch. Must not block. */
    interface WatchLines {
        /** The server has accepted the watch. */
        void opened();

        /**
         * One event: a whole line of UTF-8 JSON without its line end.
         *
         * @param redactor removes the credential from a text of the server that is shown: an error may repeat it
         */
        void line(byte[] json, UnaryOperator<String> redactor);

        /** The server ended the stream properly, as it does every few minutes. */
        void ended();

        /** The stream broke, or was refused. Nothing comes after this. */
        void failed(ApiFailure failure);
    }
}

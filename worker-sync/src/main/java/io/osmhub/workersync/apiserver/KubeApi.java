package io.osmhub.workersync.apiserver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;

/** One API server with one credential. Thread-safe. Does not retry: the caller knows whether a request can be repeated. */
public interface KubeApi {
    /**
     * Sends a request and waits for the response. Call it on a virtual thread, never on an event loop.
     *
     * @return the body of a 2xx response
     * @throws ApiFailure for any other response, or none
     */
    byte[] send(ApiRequest request) throws ApiFailure;

    /**
     * Sends a list request and delivers each item while the rest is received. Blocks until complete, so call it only on a virtual
     * thread. The timeout applies to periods without data.
     *
     * @return the list without its items
     * @throws IOException if an item is not an object, or {@code items} throws it
     */
    default byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
        ItemSplitter splitter = new ItemSplitter(
                Integer.MAX_VALUE,
                MemoryBudget.unlimited().createShare(),
                ResponseBuffer.MemoryReserver.AT_ONCE,
                items);
        splitter.add(ByteBuffer.wrap(send(request)));
        return splitter.remainder();
    }

    /**
     * Starts a watch. Must not block.
     *
     * @param lines receives the events, one call at a time, usually on an event loop
     */
    Watch watch(ApiRequest request, WatchLineHandler lines);

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

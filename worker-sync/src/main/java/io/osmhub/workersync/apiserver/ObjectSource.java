package io.osmhub.workersync.apiserver;

import java.io.IOException;

/** Lists and watches objects of one API server. Thread-safe. */
public interface ObjectSource {
    /**
     * Sends a list request and delivers each item while the rest is received. Blocks until complete, so call it only on a virtual
     * thread. The timeout applies to periods without data.
     *
     * @return the list without its items
     * @throws ApiFailure for an error response, or none
     * @throws IOException if an item is not an object, or {@code items} throws it
     */
    byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException;

    /**
     * Starts a watch. Must not block.
     *
     * @param lines receives the events, one call at a time, usually on an event loop; never within this call, so that the caller
     *     may hold a lock
     */
    KubeApi.Watch watch(ApiRequest request, KubeApi.WatchLineHandler lines);
}

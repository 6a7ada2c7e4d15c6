package io.osmhub.workersync.apiserver;

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
     * Begins a watch and returns at once.
     *
     * @param lines gets what comes, from an event loop, one call at a time
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

        /** One event: a whole line of UTF-8 JSON without its line end. */
        void line(byte[] json);

        /** The server ended the stream properly, as it does every few minutes. */
        void ended();

        /** The stream broke, or was refused. Nothing comes after this. */
        void failed(ApiFailure failure);
    }
}

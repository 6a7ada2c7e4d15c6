package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.Cause;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The answer to a list: received on the event loop, read on the caller's thread. A few pieces may wait to be read; while they do, the
 * server has to wait. One that sends little must not hold the caller for ever, so there is a limit for periods without data and one,
 * much longer, for all of it.
 */
final class IncomingList implements AsyncBody.Consumer<List<ByteBuffer>> {
    /** Pieces that are asked for before one is read: 128 KiB over HTTP/2. */
    private static final int AHEAD = 8;
    /** Of the time without data: a list may take as much in all. */
    private static final int WHOLE_LIST = 10;

    private static final ByteBuffer END = ByteBuffer.allocate(0);

    private final BlockingQueue<ByteBuffer> pieces = new LinkedBlockingQueue<>();
    // What it spends on its own work is not the server's slowness.
    private Duration waited = Duration.ZERO;

    /** Receives the pieces in their order. */
    interface Pieces {
        void add(ByteBuffer piece) throws ApiFailure, IOException;
    }

    @Override
    public void consume(List<ByteBuffer> received, AsyncBody body) {
        pieces.addAll(received);
    }

    /**
     * Reads to the end, and cancels the answer when that is not reached.
     *
     * @param decoding held while a piece is decoded: lists of all servers take turns
     * @param idle longest time without data
     */
    @SuppressWarnings("FutureReturnValueIgnored") // its outcome is asked for after the last piece
    void read(HttpResponse<AsyncBody> head, Semaphore decoding, Duration idle, Pieces into)
            throws ApiFailure, IOException, InterruptedException, ExecutionException {
        AsyncBody body = head.body();
        body.done().whenComplete((nothing, thrown) -> pieces.add(END));
        for (int i = 0; i < AHEAD; i++) {
            body.consume();
        }
        long bytes = 0;
        boolean whole = false;
        try {
            ByteBuffer piece = next(bytes, idle);
            while (piece != END) {
                bytes += piece.remaining();
                decoding.acquire();
                try {
                    into.add(piece);
                } finally {
                    decoding.release();
                }
                body.consume();
                piece = next(bytes, idle);
            }
            whole = true;
            body.done().get();
        } finally {
            if (!whole) {
                body.cancel();
            }
        }
    }

    private ByteBuffer next(long bytes, Duration idle) throws ApiFailure, InterruptedException {
        long begun = System.nanoTime();
        ByteBuffer piece = pieces.poll(idle.toMillis(), TimeUnit.MILLISECONDS);
        if (piece == null) {
            throw ApiFailure.noAnswer(
                    Cause.TIMED_OUT, "no data for " + idle.toSeconds() + " s after " + bytes + " B of a list");
        }
        waited = waited.plus(FabricKubeApi.since(begun));
        if (piece != END && waited.compareTo(idle.multipliedBy(WHOLE_LIST)) > 0) {
            throw ApiFailure.noAnswer(
                    Cause.TIMED_OUT,
                    "a list is not complete after waiting " + waited.toSeconds() + " s for it, and " + bytes + " B");
        }
        return piece;
    }
}

package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
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
 * A list response: received on the event loop, read on the caller's thread, with backpressure beyond a few chunks. Limits both
 * the time without data and, much higher, the total time, so that a slow server cannot block the caller forever.
 */
final class ListResponseReader implements AsyncBody.Consumer<List<ByteBuffer>> {
    /** Chunks requested ahead: 128 KiB over HTTP/2. */
    private static final int AHEAD = 8;
    /** Total time limit as a multiple of the time without data. */
    private static final int WHOLE_LIST = 10;

    private static final ByteBuffer END = ByteBuffer.allocate(0);

    private final BlockingQueue<ByteBuffer> pieces = new LinkedBlockingQueue<>();
    // Excludes the caller's own work.
    private Duration waited = Duration.ZERO;

    /** Receives the chunks in order. */
    interface ChunkHandler {
        void add(ByteBuffer piece) throws ApiFailure, IOException;
    }

    @Override
    public void consume(List<ByteBuffer> received, AsyncBody body) {
        pieces.addAll(received);
    }

    /**
     * Reads to the end; cancels the response otherwise.
     *
     * @param decoding held while a chunk is decoded: lists of all servers take turns
     * @param idle longest time without data
     */
    @SuppressWarnings("FutureReturnValueIgnored") // checked after the last chunk
    void read(HttpResponse<AsyncBody> head, Semaphore decoding, Duration idle, ChunkHandler into)
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
            throw ApiFailure.withoutResponse(
                    ApiFailureKind.TIMED_OUT, "no data for " + idle.toSeconds() + " s after " + bytes + " B of a list");
        }
        waited = waited.plus(Fabric8KubeApi.since(begun));
        if (piece != END && waited.compareTo(idle.multipliedBy(WHOLE_LIST)) > 0) {
            throw ApiFailure.withoutResponse(
                    ApiFailureKind.TIMED_OUT, "list incomplete after " + waited.toSeconds() + " s and " + bytes + " B");
        }
        return piece;
    }
}

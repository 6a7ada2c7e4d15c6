package io.osmhub.workersync.apiserver;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Buffers a text until it is complete. Reserves its memory from a share of the budget. Not thread-safe. */
public final class ResponseBuffer {
    /** Reserves memory of a share. */
    @FunctionalInterface
    public interface MemoryReserver {
        /** Never waits, as required on an event loop. */
        MemoryReserver AT_ONCE = MemoryBudget.MemoryShare::tryReserve;

        /** Reserves all the bytes or none. */
        boolean tryReserve(MemoryBudget.MemoryShare share, long bytes) throws InterruptedException;
    }

    private static final int SMALL = 4096;
    private static final byte[] NONE = {};

    private final String what;
    private final int most;
    private final MemoryBudget.MemoryShare share;
    private final MemoryReserver taking;
    private byte[] bytes = NONE;
    private int length;

    /**
     * Nothing yet.
     *
     * @param what it is, for messages: "an object"
     * @param most bytes of one text
     * @param taking may wait, except on an event loop
     */
    public ResponseBuffer(String what, int most, MemoryBudget.MemoryShare share, MemoryReserver taking) {
        this.what = what;
        this.most = most;
        this.share = share;
        this.taking = taking;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    public void append(ByteBuffer from, int count) throws ApiFailure {
        int needed = length + count;
        check(needed);
        if (needed > bytes.length) {
            int size = Math.clamp(Math.max(SMALL, 2L * bytes.length), needed, Math.max(needed, most));
            reserve(size - bytes.length);
            bytes = Arrays.copyOf(bytes, size);
        }
        from.get(bytes, length, count);
        length = needed;
    }

    /** Returns the whole text, ending with these bytes, and releases its memory. */
    public byte[] complete(ByteBuffer from, int count) throws ApiFailure {
        check(length + count);
        byte[] whole = new byte[length + count];
        System.arraycopy(bytes, 0, whole, 0, length);
        from.get(whole, length, count);
        clear();
        return whole;
    }

    /** The bytes received so far. */
    public byte[] soFar() {
        return Arrays.copyOf(bytes, length);
    }

    /** Releases the memory. */
    public void clear() {
        if (bytes.length > 0) {
            // Skipped for lines received whole: the budget has one lock for all servers.
            share.release(bytes.length);
        }
        bytes = NONE;
        length = 0;
    }

    private void check(int needed) throws ApiFailure {
        if (needed > most) {
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.UNREADABLE, what + " is larger than " + most + " B");
        }
    }

    private void reserve(int more) throws ApiFailure {
        try {
            if (taking.tryReserve(share, more)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "cancelled by the hub");
        }
        throw ApiFailure.withoutResponse(
                ApiFailure.ApiFailureKind.UNREADABLE,
                what + " larger than " + length
                        + " B does not fit into the hub's free memory: this server already holds " + share.taken()
                        + " B of incomplete responses; use smaller objects, or raise the hub's memory limit");
    }
}

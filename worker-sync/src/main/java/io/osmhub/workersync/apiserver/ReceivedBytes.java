package io.osmhub.workersync.apiserver;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The beginning of a text whose end has not been received. Takes its memory from a share of the budget. Not thread-safe. */
public final class ReceivedBytes {
    /** Takes memory of a share for a text. */
    @FunctionalInterface
    public interface Taking {
        /** Takes at once or refuses, as on an event loop. */
        Taking AT_ONCE = MemoryBudget.Share::take;

        /** Takes so many bytes, or none when they are not free. */
        boolean take(MemoryBudget.Share share, long bytes) throws InterruptedException;
    }

    private static final int SMALL = 4096;
    private static final byte[] NONE = {};

    private final String what;
    private final int most;
    private final MemoryBudget.Share share;
    private final Taking taking;
    private byte[] bytes = NONE;
    private int length;

    /**
     * Nothing yet.
     *
     * @param what it is, for messages: "an object"
     * @param most bytes of one text
     * @param taking may wait, except on an event loop
     */
    public ReceivedBytes(String what, int most, MemoryBudget.Share share, Taking taking) {
        this.what = what;
        this.most = most;
        this.share = share;
        this.taking = taking;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    /** Adds the next bytes of a buffer. */
    public void add(ByteBuffer from, int count) throws ApiFailure {
        int needed = length + count;
        check(needed);
        if (needed > bytes.length) {
            int size = Math.clamp(Math.max(SMALL, 2L * bytes.length), needed, Math.max(needed, most));
            take(size - bytes.length);
            bytes = Arrays.copyOf(bytes, size);
        }
        from.get(bytes, length, count);
        length = needed;
    }

    /** The whole text, whose last bytes are these. Memory is held only while a text is incomplete. */
    public byte[] end(ByteBuffer from, int count) throws ApiFailure {
        check(length + count);
        byte[] whole = new byte[length + count];
        System.arraycopy(bytes, 0, whole, 0, length);
        from.get(whole, length, count);
        clear();
        return whole;
    }

    /** The text as far as it was received. */
    public byte[] soFar() {
        return Arrays.copyOf(bytes, length);
    }

    /** Gives the memory back. */
    public void clear() {
        if (bytes.length > 0) {
            // Not for each line that was received whole: the budget has one lock for all servers.
            share.give(bytes.length);
        }
        bytes = NONE;
        length = 0;
    }

    private void check(int needed) throws ApiFailure {
        if (needed > most) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, what + " is larger than " + most + " B");
        }
    }

    private void take(int more) throws ApiFailure {
        try {
            if (taking.take(share, more)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiFailure.noAnswer(ApiFailure.Cause.CLOSED, "given up by the hub");
        }
        throw ApiFailure.noAnswer(
                ApiFailure.Cause.UNREADABLE,
                what + " of more than " + length
                        + " B does not fit into the memory that the hub has for it now, beside " + share.taken()
                        + " B of this server that are incomplete; send smaller objects, or give the hub more memory");
    }
}

package io.osmhub.workersync.apiserver;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Buffers a text until it is complete. Reserves its memory from a share of the budget. Not thread-safe. */
final class ResponseBuffer {
    private static final int SMALL = 4096;
    /** Times the largest text: a real server escapes a byte with at most six. */
    private static final int MOST_SKIPPED = 16;

    private static final byte[] NONE = {};

    private final String what;
    private final int most;
    private final MemoryBudget.MemoryShare share;
    private final ItemSplitter.MemoryReserver memoryReserver;
    private byte[] bytes = NONE;
    private int length;

    /**
     * Nothing yet.
     *
     * @param what it is, for messages: "an object"
     * @param most bytes of one text
     * @param memoryReserver may wait, except on an event loop
     */
    ResponseBuffer(String what, int most, MemoryBudget.MemoryShare share, ItemSplitter.MemoryReserver memoryReserver) {
        this.what = what;
        this.most = most;
        this.share = share;
        this.memoryReserver = memoryReserver;
    }

    /** Whether the text would be too large with so many bytes more. */
    boolean wouldExceed(int count) {
        return length + count > most;
    }

    void append(ByteBuffer from, int count) throws ApiFailure {
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
    byte[] complete(ByteBuffer from, int count) throws ApiFailure {
        check(length + count);
        byte[] whole = new byte[length + count];
        System.arraycopy(bytes, 0, whole, 0, length);
        from.get(whole, length, count);
        clear();
        return whole;
    }

    /** The bytes received so far. */
    byte[] soFar() {
        return Arrays.copyOf(bytes, length);
    }

    /** Releases the memory. */
    void clear() {
        if (bytes.length > 0) {
            // Skipped for items received whole: the budget has one lock for all servers.
            share.release(bytes.length);
        }
        bytes = NONE;
        length = 0;
    }

    /** For a text that is too large: continues to read it, without keeping it, from what was received; releases the memory. */
    MetadataScanner skip(boolean event) {
        MetadataScanner scanner = new MetadataScanner(event);
        scanner.add(bytes, 0, length);
        clear();
        return scanner;
    }

    /** Fails if a text that is skipped is no object, or seems to have no end. */
    void checkSkipped(MetadataScanner scanner) throws ApiFailure {
        if (scanner.isMalformed() || scanner.length() > MOST_SKIPPED * (long) most) {
            throw tooLarge();
        }
    }

    /** The limit, as a clause. */
    String limit() {
        return "it is larger than " + most + " B";
    }

    private void check(int needed) throws ApiFailure {
        if (needed > most) {
            throw tooLarge();
        }
    }

    private ApiFailure tooLarge() {
        return ApiFailure.withoutResponse(
                ApiFailure.ApiFailureKind.UNREADABLE, what + " is larger than " + most + " B");
    }

    private void reserve(int more) throws ApiFailure {
        try {
            if (memoryReserver.tryReserve(share, more)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "cancelled by the hub");
        }
        throw share.rejection(what, length);
    }
}

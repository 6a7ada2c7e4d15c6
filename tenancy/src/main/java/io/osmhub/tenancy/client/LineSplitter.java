package io.osmhub.tenancy.client;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Cuts a stream of bytes into lines. Works on bytes, so a character that arrives in two pieces stays whole. Not for use by more
 * than one thread at a time.
 */
final class LineSplitter {
    private static final int SMALL = 4096;
    private static final byte[] NONE = {};

    private final int longest;
    private final Consumer<byte[]> lines;
    // The beginning of a line whose end has not come.
    private byte[] begun = NONE;
    private int length;

    /** @param lines gets each line without its line feed; empty ones are left out, since some servers keep a stream alive by them */
    LineSplitter(int longest, Consumer<byte[]> lines) {
        this.longest = longest;
        this.lines = lines;
    }

    /** Takes the next bytes. False when a line is too long: nothing more can be made of the stream. */
    boolean add(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            int end = lineFeed(bytes);
            int taken = (end < 0 ? bytes.limit() : end) - bytes.position();
            if (length + taken > longest) {
                return false;
            }
            if (end < 0) {
                keep(bytes, taken);
                return true;
            }
            emit(bytes, taken);
            bytes.get();
        }
        return true;
    }

    /** True when the stream stopped within a line. */
    boolean isWithinLine() {
        return length > 0;
    }

    private static int lineFeed(ByteBuffer bytes) {
        for (int at = bytes.position(); at < bytes.limit(); at++) {
            if (bytes.get(at) == '\n') {
                return at;
            }
        }
        return -1;
    }

    private void keep(ByteBuffer bytes, int taken) {
        int needed = length + taken;
        if (needed > begun.length) {
            begun = Arrays.copyOf(begun, Math.max(needed, Math.min(longest, Math.max(SMALL, 2 * begun.length))));
        }
        bytes.get(begun, length, taken);
        length = needed;
    }

    private void emit(ByteBuffer bytes, int taken) {
        byte[] line = new byte[length + taken];
        System.arraycopy(begun, 0, line, 0, length);
        bytes.get(line, length, taken);
        // Memory is held only while a line is incomplete: an event of megabytes must not cost them until the watch
        // ends.
        begun = NONE;
        length = 0;
        if (line.length > 0) {
            lines.accept(line);
        }
    }
}

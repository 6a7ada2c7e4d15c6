package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ResponseBuffer;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Splits a byte stream into lines. Characters split across chunks stay whole. Not thread-safe. */
final class LineSplitter {
    private final ResponseBuffer begun;
    private final Consumer<byte[]> lines;

    /** @param lines receives each line without its line feed; empty ones are skipped, since some servers send them as keep-alives */
    LineSplitter(ResponseBuffer begun, Consumer<byte[]> lines) {
        this.begun = begun;
        this.lines = lines;
    }

    /** Adds the next bytes, which are on the heap. A too long line is a permanent failure. */
    void add(ByteBuffer bytes) throws ApiFailure {
        while (bytes.hasRemaining()) {
            int end = lineFeed(bytes);
            if (end < 0) {
                begun.append(bytes, bytes.remaining());
                return;
            }
            byte[] line = begun.complete(bytes, end - bytes.position());
            bytes.get();
            if (line.length > 0) {
                lines.accept(line);
            }
        }
    }

    /** Whether the stream stopped within a line. */
    boolean isWithinLine() {
        return !begun.isEmpty();
    }

    /** Releases the memory of an incomplete line. */
    void clear() {
        begun.clear();
    }

    private static int lineFeed(ByteBuffer bytes) {
        // Through the array: without the second compiler, each access through the buffer takes several calls.
        byte[] array = bytes.array();
        int offset = bytes.arrayOffset();
        int limit = offset + bytes.limit();
        for (int at = offset + bytes.position(); at < limit; at++) {
            if (array[at] == '\n') {
                return at - offset;
            }
        }
        return -1;
    }
}

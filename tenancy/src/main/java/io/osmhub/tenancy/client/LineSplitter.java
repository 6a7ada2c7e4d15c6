package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.MetadataScanner;
import io.osmhub.workersync.apiserver.ResponseBuffer;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Splits a byte stream into lines. Characters split across chunks stay whole. Not thread-safe. */
final class LineSplitter {
    private final ResponseBuffer begun;
    private final Consumer<byte[]> lines;
    private final BiConsumer<MetadataScanner, String> skipped;
    /** Set while a line is received that is too long. */
    private @Nullable MetadataScanner tooLong;

    /**
     * @param lines receives each line without its line feed; empty ones are skipped, since some servers send them as keep-alives
     * @param skipped receives each line that is too long to be kept, and the limit
     */
    LineSplitter(ResponseBuffer begun, Consumer<byte[]> lines, BiConsumer<MetadataScanner, String> skipped) {
        this.begun = begun;
        this.lines = lines;
        this.skipped = skipped;
    }

    /** Adds the next bytes, which are on the heap. */
    void add(ByteBuffer bytes) throws ApiFailure {
        while (bytes.hasRemaining()) {
            int end = lineFeed(bytes);
            int count = (end < 0 ? bytes.limit() : end) - bytes.position();
            if (tooLong == null && begun.wouldExceed(count)) {
                tooLong = begun.skip(true);
            }
            if (tooLong != null) {
                int from = bytes.arrayOffset() + bytes.position();
                tooLong.add(bytes.array(), from, from + count);
                begun.checkSkipped(tooLong);
                bytes.position(bytes.position() + count);
                if (end >= 0) {
                    bytes.get();
                    MetadataScanner line = tooLong;
                    tooLong = null;
                    skipped.accept(line, begun.limit());
                }
                continue;
            }
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
        return !begun.isEmpty() || tooLong != null;
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

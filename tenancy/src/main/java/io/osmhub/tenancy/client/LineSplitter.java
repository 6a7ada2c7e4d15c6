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
    private final ResponseBuffer lineBuffer;
    private final Consumer<byte[]> lines;
    private final BiConsumer<MetadataScanner, String> skipped;
    /** Set while a line is received that is too long. */
    private @Nullable MetadataScanner longLineScanner;

    /**
     * @param lines receives each line without its line feed; empty ones are skipped, since some servers send them as keep-alives
     * @param skipped receives each line that is too long to be kept, and the limit
     */
    LineSplitter(ResponseBuffer lineBuffer, Consumer<byte[]> lines, BiConsumer<MetadataScanner, String> skipped) {
        this.lineBuffer = lineBuffer;
        this.lines = lines;
        this.skipped = skipped;
    }

    /** Adds the next bytes, which are on the heap. */
    void add(ByteBuffer bytes) throws ApiFailure {
        while (bytes.hasRemaining()) {
            int end = lineFeed(bytes);
            int count = (end < 0 ? bytes.limit() : end) - bytes.position();
            if (longLineScanner == null && lineBuffer.wouldExceed(count)) {
                longLineScanner = lineBuffer.skip(true);
            }
            if (longLineScanner != null) {
                int from = bytes.arrayOffset() + bytes.position();
                longLineScanner.add(bytes.array(), from, from + count);
                lineBuffer.checkSkipped(longLineScanner);
                bytes.position(bytes.position() + count);
                if (end >= 0) {
                    bytes.get();
                    MetadataScanner line = longLineScanner;
                    longLineScanner = null;
                    skipped.accept(line, lineBuffer.limit());
                }
                continue;
            }
            if (end < 0) {
                lineBuffer.append(bytes, bytes.remaining());
                return;
            }
            byte[] line = lineBuffer.complete(bytes, end - bytes.position());
            bytes.get();
            if (line.length > 0) {
                lines.accept(line);
            }
        }
    }

    /** Whether the stream stopped within a line. */
    boolean isWithinLine() {
        return !lineBuffer.isEmpty() || longLineScanner != null;
    }

    /** Releases the memory of an incomplete line. */
    void clear() {
        lineBuffer.clear();
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

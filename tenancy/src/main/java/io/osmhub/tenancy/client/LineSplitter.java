package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ReceivedBytes;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Cuts a stream of bytes into lines. Works on bytes, so a character that arrives in two pieces stays whole. Not for use by more
 * than one thread at a time.
 */
final class LineSplitter {
    private final ReceivedBytes begun;
    private final Consumer<byte[]> lines;

    /** @param lines gets each line without its line feed; empty ones are left out, since some servers keep a stream alive by them */
    LineSplitter(ReceivedBytes begun, Consumer<byte[]> lines) {
        this.begun = begun;
        this.lines = lines;
    }

    /** Takes the next bytes. Fails when a line is too long: nothing more can be made of the stream. */
    void add(ByteBuffer bytes) throws ApiFailure {
        while (bytes.hasRemaining()) {
            int end = lineFeed(bytes);
            if (end < 0) {
                begun.add(bytes, bytes.remaining());
                return;
            }
            byte[] line = begun.end(bytes, end - bytes.position());
            bytes.get();
            if (line.length > 0) {
                lines.accept(line);
            }
        }
    }

    /** True when the stream stopped within a line. */
    boolean isWithinLine() {
        return !begun.isEmpty();
    }

    /** Gives the memory of an incomplete line back. */
    void clear() {
        begun.clear();
    }

    private static int lineFeed(ByteBuffer bytes) {
        for (int at = bytes.position(); at < bytes.limit(); at++) {
            if (bytes.get(at) == '\n') {
                return at;
            }
        }
        return -1;
    }
}

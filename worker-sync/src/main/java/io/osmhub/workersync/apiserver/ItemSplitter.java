package io.osmhub.workersync.apiserver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits a JSON list into its items while it is received, so that at most one item is in memory. Keeps the rest of the list.
 * Checks only the syntax it needs; the decoders check the rest. Not thread-safe.
 */
public final class ItemSplitter {
    /** Limit for everything outside the items: kind, version, continue token. */
    private static final int MOST_AROUND = 64 * 1024;

    private static final int LIST = 1;
    private static final int ITEMS = 2;

    /** Receives the items in order. */
    @FunctionalInterface
    public interface ItemHandler {
        /** Called with one complete JSON object. */
        void onItem(byte[] json) throws ApiFailure, IOException;

        /**
         * Called instead for an object that is too large to be kept.
         *
         * @param why the limit, as a clause
         */
        default void onTooLarge(MetadataScanner object, String why) throws ApiFailure, IOException {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.UNREADABLE, "an object of the list: " + why);
        }
    }

    private final ItemHandler items;
    private final ResponseBuffer listBuffer;
    private final ResponseBuffer itemBuffer;
    /** Set while an item is received that is too large. */
    private @Nullable MetadataScanner largeItemScanner;

    private int depth;
    private boolean inItems;
    private boolean inString;
    private boolean escaped;

    /**
     * Nothing received yet.
     *
     * @param mostItem bytes of one item
     * @param taking may wait for memory
     */
    public ItemSplitter(
            int mostItem, MemoryBudget.MemoryShare share, ResponseBuffer.MemoryReserver taking, ItemHandler items) {
        this.items = items;
        this.listBuffer = new ResponseBuffer("a list without its items", MOST_AROUND, share, taking);
        this.itemBuffer = new ResponseBuffer("an object", mostItem, share, taking);
    }

    /** Consumes all the bytes, which are on the heap. */
    public void add(ByteBuffer bytes) throws ApiFailure, IOException {
        // Through the array: without the second compiler, each access through the buffer takes several calls.
        byte[] array = bytes.array();
        int offset = bytes.arrayOffset();
        int limit = bytes.limit();
        int at = bytes.position();
        while (at < limit) {
            if (inString) {
                at = endOfString(array, offset + at, offset + limit) - offset;
                continue;
            }
            byte next = array[offset + at++];
            switch (next) {
                case '"' -> {
                    check(!inItems || depth != ITEMS);
                    inString = true;
                }
                case '{', '[' -> {
                    if (inItems && depth == ITEMS) {
                        check(next == '{');
                        bytes.position(at - 1);
                    }
                    depth++;
                    if (depth == ITEMS && next == '[') {
                        keep(listBuffer, bytes, at);
                        inItems = isAfterItemsKey();
                    }
                }
                case '}', ']' -> {
                    depth--;
                    if (inItems && depth == ITEMS) {
                        deliver(bytes, at);
                    } else if (inItems && depth == LIST) {
                        bytes.position(at - 1);
                        inItems = false;
                    }
                }
                case ',', ' ', '\n', '\r', '\t' -> {
                    // Separates.
                }
                default -> check(depth > 0 && (!inItems || depth != ITEMS));
            }
        }
        if (inItems && depth == ITEMS) {
            bytes.position(at);
        } else if (inItems) {
            if (!skip(bytes, at)) {
                keep(itemBuffer, bytes, at);
            }
        } else {
            keep(listBuffer, bytes, at);
        }
    }

    private void deliver(ByteBuffer bytes, int to) throws ApiFailure, IOException {
        if (skip(bytes, to)) {
            MetadataScanner skipped = Objects.requireNonNull(largeItemScanner, "skipped");
            largeItemScanner = null;
            items.onTooLarge(skipped, itemBuffer.limit());
        } else {
            items.onItem(itemBuffer.complete(bytes, to - bytes.position()));
        }
    }

    /** Consumes the next bytes of an item that is too large; false if it is not. */
    private boolean skip(ByteBuffer bytes, int to) throws ApiFailure {
        if (largeItemScanner == null && itemBuffer.wouldExceed(to - bytes.position())) {
            largeItemScanner = itemBuffer.skip(false);
        }
        if (largeItemScanner == null) {
            return false;
        }
        int offset = bytes.arrayOffset();
        largeItemScanner.add(bytes.array(), offset + bytes.position(), offset + to);
        bytes.position(to);
        itemBuffer.checkSkipped(largeItemScanner);
        return true;
    }

    /** Returns the index after the string that has begun, or {@code to} if it has not ended. */
    private int endOfString(byte[] array, int from, int to) {
        for (int at = from; at < to; at++) {
            byte next = array[at];
            if (escaped) {
                escaped = false;
            } else if (next == '\\') {
                escaped = true;
            } else if (next == '"') {
                inString = false;
                return at + 1;
            }
        }
        return to;
    }

    /** The list without its items, once complete. */
    public byte[] remainder() {
        return listBuffer.soFar();
    }

    /** Releases the memory. */
    public void clear() {
        listBuffer.clear();
        itemBuffer.clear();
    }

    private static void check(boolean objectsOnly) throws IOException {
        if (!objectsOnly) {
            throw new IOException("unexpected response: not a list of objects");
        }
    }

    private static void keep(ResponseBuffer into, ByteBuffer bytes, int to) throws ApiFailure {
        into.append(bytes, to - bytes.position());
    }

    private boolean isAfterItemsKey() {
        String text = new String(listBuffer.soFar(), StandardCharsets.UTF_8);
        String key = text.substring(0, text.length() - 1).stripTrailing();
        return key.endsWith(":")
                && key.substring(0, key.length() - 1).stripTrailing().endsWith("\"items\"");
    }
}

package io.osmhub.workersync.apiserver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits a JSON list into its items, or a watch into its events, while it is received, so that at most one of them is in memory.
 * Keeps the rest of a list. Checks only the syntax it needs; the decoders check the rest. Not thread-safe.
 */
public final class ItemSplitter {
    /** Limit for everything outside the items: kind, version, continue token. */
    private static final int MOST_AROUND = 64 * 1024;

    /** Depth of the items of a list: in its object, and in their array. */
    private static final int IN_LIST = 2;
    /** Depth of the events of a watch: they follow each other. */
    private static final int IN_WATCH = 0;

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
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.UNREADABLE, "an object: " + why);
        }
    }

    /** Reserves memory of a share. */
    @FunctionalInterface
    public interface MemoryReserver {
        /** Reserves all the bytes or none. */
        boolean tryReserve(MemoryBudget.MemoryShare share, long bytes) throws InterruptedException;
    }

    private final int itemDepth;
    private final ItemHandler items;
    private final ResponseBuffer listBuffer;
    private final ResponseBuffer itemBuffer;
    /** Set while an item is received that is too large. */
    private @Nullable MetadataScanner largeItemScanner;

    private int depth;
    /** Whether items follow at their depth: always in a watch. */
    private boolean inItems;

    private boolean inString;
    private boolean escaped;

    private ItemSplitter(int itemDepth, ResponseBuffer listBuffer, ResponseBuffer itemBuffer, ItemHandler items) {
        this.itemDepth = itemDepth;
        this.listBuffer = listBuffer;
        this.itemBuffer = itemBuffer;
        this.items = items;
        this.inItems = itemDepth == IN_WATCH;
    }

    /**
     * For the items of a list.
     *
     * @param mostBytes of one item
     * @param memoryReserver may wait
     */
    public static ItemSplitter ofList(
            int mostBytes, MemoryBudget.MemoryShare share, MemoryReserver memoryReserver, ItemHandler items) {
        return new ItemSplitter(
                IN_LIST,
                new ResponseBuffer("a list without its items", MOST_AROUND, share, memoryReserver),
                new ResponseBuffer("an object", mostBytes, share, memoryReserver),
                items);
    }

    /**
     * For the events of a watch; never waits.
     *
     * @param mostBytes of one event
     */
    public static ItemSplitter ofWatch(int mostBytes, MemoryBudget.MemoryShare share, ItemHandler events) {
        return new ItemSplitter(
                IN_WATCH,
                new ResponseBuffer("a watch without its events", 0, share, MemoryBudget.MemoryShare::tryReserve),
                new ResponseBuffer("an event", mostBytes, share, MemoryBudget.MemoryShare::tryReserve),
                events);
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
                    check(!isBetweenItems());
                    inString = true;
                }
                case '{', '[' -> {
                    if (isBetweenItems()) {
                        check(next == '{');
                        bytes.position(at - 1);
                    }
                    depth++;
                    if (!inItems && depth == IN_LIST && next == '[') {
                        keep(listBuffer, bytes, at);
                        inItems = isAfterItemsKey();
                    }
                }
                case '}', ']' -> {
                    depth--;
                    check(depth >= 0);
                    if (isBetweenItems()) {
                        deliver(bytes, at);
                    } else if (inItems && depth < itemDepth) {
                        bytes.position(at - 1);
                        inItems = false;
                    }
                }
                case ',', ' ', '\n', '\r', '\t' -> {
                    // Separates.
                }
                default -> check(depth > 0 && !isBetweenItems());
            }
        }
        if (isBetweenItems()) {
            bytes.position(at);
        } else if (inItems) {
            if (!skip(bytes, at)) {
                keep(itemBuffer, bytes, at);
            }
        } else {
            keep(listBuffer, bytes, at);
        }
    }

    private boolean isBetweenItems() {
        return inItems && depth == itemDepth;
    }

    /** Whether an item has begun and not ended. */
    public boolean isWithinItem() {
        return inItems && depth > itemDepth;
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
            largeItemScanner = itemBuffer.skip(itemDepth == IN_WATCH);
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

    private void check(boolean objectsOnly) throws IOException {
        if (!objectsOnly) {
            throw new IOException(
                    "unexpected response: not a " + (itemDepth == IN_WATCH ? "watch" : "list") + " of objects");
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

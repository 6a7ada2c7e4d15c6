package io.osmhub.workersync.apiserver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Cuts the JSON of a list into its items while it is received, so that no more than one of them is held. What is around them is kept:
 * the list without its items. Checks only what it needs for that; the decoders of the items and of the rest check them. Not thread-safe.
 */
public final class ItemSplitter {
    /** What is around the items: kind, version, continue token. */
    private static final int MOST_AROUND = 64 * 1024;

    private static final int LIST = 1;
    private static final int ITEMS = 2;

    /** Receives the items in their order. */
    @FunctionalInterface
    public interface Items {
        /** One object: a whole JSON text. */
        void item(byte[] json) throws ApiFailure, IOException;
    }

    private final Items items;
    private final ReceivedBytes around;
    private final ReceivedBytes item;
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
    public ItemSplitter(int mostItem, MemoryBudget.Share share, ReceivedBytes.Taking taking, Items items) {
        this.items = items;
        this.around = new ReceivedBytes("a list without its items", MOST_AROUND, share, taking);
        this.item = new ReceivedBytes("an object", mostItem, share, taking);
    }

    /** Takes the next bytes, all of them. */
    public void add(ByteBuffer bytes) throws ApiFailure, IOException {
        int at = bytes.position();
        while (at < bytes.limit()) {
            byte next = bytes.get(at++);
            if (inString) {
                inString = escaped || next != '"';
                escaped = !escaped && next == '\\';
                continue;
            }
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
                        keep(around, bytes, at);
                        inItems = isAfterItemsKey();
                    }
                }
                case '}', ']' -> {
                    depth--;
                    if (inItems && depth == ITEMS) {
                        items.item(item.end(bytes, at - bytes.position()));
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
        } else {
            keep(inItems ? item : around, bytes, at);
        }
    }

    /** The list without its items, when all was received. */
    public byte[] rest() {
        return around.soFar();
    }

    /** Gives the memory back. */
    public void clear() {
        around.clear();
        item.clear();
    }

    private static void check(boolean objectsOnly) throws IOException {
        if (!objectsOnly) {
            throw new IOException("unexpected response: not a list of objects");
        }
    }

    private static void keep(ReceivedBytes into, ByteBuffer bytes, int to) throws ApiFailure {
        into.add(bytes, to - bytes.position());
    }

    private boolean isAfterItemsKey() {
        String text = new String(around.soFar(), StandardCharsets.UTF_8);
        String key = text.substring(0, text.length() - 1).stripTrailing();
        return key.endsWith(":")
                && key.substring(0, key.length() - 1).stripTrailing().endsWith("\"items\"");
    }
}

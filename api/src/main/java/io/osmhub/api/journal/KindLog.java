package io.osmhub.api.journal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The changes of one kind after some version, all of them, in order; the oldest go when there are too many. Not safe for use by many
 * threads.
 */
final class KindLog {
    /** Changes that are kept in memory; older ones are asked from the API server. */
    static final int MOST = 20_000;

    private final NavigableMap<Long, Entry> entries = new TreeMap<>();
    private boolean begun;
    private long from;
    private long reached;
    private long[] listed = {};

    /**
     * Begins, or begins anew, with nothing known of what was before.
     *
     * @param version of a list
     * @param objects versions of the objects in it, sorted
     */
    void begin(long version, long[] objects) {
        entries.clear();
        begun = true;
        from = version;
        reached = version;
        listed = objects;
    }

    boolean hasBegun() {
        return begun;
    }

    /** Every change after this version, up to the one that is reached, is here. */
    long from() {
        return from;
    }

    long reached() {
        return reached;
    }

    /** Versions that the objects of the last list had after a version: each was the version of a change. */
    long[] listedAfter(long version) {
        int at = 0;
        while (at < listed.length && listed[at] <= version) {
            at++;
        }
        return Arrays.copyOfRange(listed, at, listed.length);
    }

    void reach(long version) {
        reached = Math.max(reached, version);
    }

    void append(Entry entry) {
        if (entry.version() <= reached) {
            return;
        }
        entries.put(entry.version(), entry);
        reached = entry.version();
        while (entries.size() > MOST) {
            from = entries.pollFirstEntry().getKey();
        }
    }

    /** Puts what happened after a version before what is here. */
    void prepend(List<Entry> older, long after) {
        older.forEach(entry -> entries.put(entry.version(), entry));
        from = after;
    }

    /** The next changes after a version, at most so many. */
    List<Entry> after(long version, int most) {
        List<Entry> next = new ArrayList<>();
        for (Entry entry : entries.tailMap(version, false).values()) {
            if (next.size() == most) {
                break;
            }
            next.add(entry);
        }
        return next;
    }

    /** What is here, the newest first. */
    Collection<Entry> newestFirst() {
        return entries.descendingMap().values();
    }

    boolean hasAfter(long version) {
        return !entries.isEmpty() && entries.lastKey() > version;
    }

    int size() {
        return entries.size();
    }
}

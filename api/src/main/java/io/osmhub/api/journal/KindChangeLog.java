package io.osmhub.api.journal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** All changes of one kind after some version, in order; evicts the oldest. Not thread-safe. */
final class KindChangeLog {
    /** Maximum number of changes in memory; older ones are read from the API server. */
    static final int MOST = 20_000;

    private final NavigableMap<Long, JournalEntry> entries = new TreeMap<>();
    private boolean begun;
    private long from;
    private long reached;
    private long[] listed = {};

    /**
     * Clears the log and starts after a list.
     *
     * @param version of the list
     * @param objects versions of the objects in it, sorted
     */
    void reset(long version, long[] objects) {
        entries.clear();
        begun = true;
        from = version;
        reached = version;
        listed = objects;
    }

    boolean isInitialized() {
        return begun;
    }

    /** The log contains every change from this version up to the last one received. */
    long from() {
        return from;
    }

    long reached() {
        return reached;
    }

    /** Versions after the given one that objects of the last list had; each belongs to a change. */
    long[] listedAfter(long version) {
        int at = 0;
        while (at < listed.length && listed[at] <= version) {
            at++;
        }
        return Arrays.copyOfRange(listed, at, listed.length);
    }

    void advanceTo(long version) {
        reached = Math.max(reached, version);
    }

    void append(JournalEntry entry) {
        if (entry.version() <= reached) {
            return;
        }
        entries.put(entry.version(), entry);
        reached = entry.version();
        while (entries.size() > MOST) {
            from = entries.pollFirstEntry().getKey();
        }
    }

    /** Inserts older changes before those in the log. */
    void prepend(List<JournalEntry> older, long after) {
        older.forEach(entry -> entries.put(entry.version(), entry));
        from = after;
    }

    /** The next changes after a version, up to a limit. */
    List<JournalEntry> after(long version, int most) {
        List<JournalEntry> next = new ArrayList<>();
        for (JournalEntry entry : entries.tailMap(version, false).values()) {
            if (next.size() == most) {
                break;
            }
            next.add(entry);
        }
        return next;
    }

    /** Changes in the log, newest first. */
    Collection<JournalEntry> newestFirst() {
        return entries.descendingMap().values();
    }

    boolean hasAfter(long version) {
        return !entries.isEmpty() && entries.lastKey() > version;
    }

    int size() {
        return entries.size();
    }
}

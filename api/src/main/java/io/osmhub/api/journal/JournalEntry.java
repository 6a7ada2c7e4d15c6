package io.osmhub.api.journal;

import java.time.Instant;
import java.util.List;

/**
 * One change of a stored object.
 *
 * @param version resource version of the change
 * @param at when this process received the change
 * @param events in the same order in every process
 */
record JournalEntry(JournalSource source, long version, Instant at, List<ChangeEvent> events) {
    JournalEntry {
        events = List.copyOf(events);
    }
}

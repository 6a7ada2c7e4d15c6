package io.osmhub.api.journal;

import java.time.Instant;
import java.util.List;

/**
 * One change of a stored object.
 *
 * @param version the API server's number of the change
 * @param at when this process learnt of it
 * @param told in the same order in every process
 */
record Entry(Source source, long version, Instant at, List<Told> told) {
    Entry {
        told = List.copyOf(told);
    }
}

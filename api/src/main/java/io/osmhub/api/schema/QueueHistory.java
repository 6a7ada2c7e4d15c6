package io.osmhub.api.schema;

import java.util.List;

/**
 * Keys that waited in the last hour.
 *
 * @param replica whose queue it is
 * @param depths maximum of each 5 s, oldest first; the last is the current one
 * @param oldestSeconds age of the oldest key
 */
public record QueueHistory(String replica, List<Integer> depths, double oldestSeconds) {
    public QueueHistory {
        depths = List.copyOf(depths);
    }
}

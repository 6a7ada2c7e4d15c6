package io.osmhub.deploy.fleet;

import java.util.Map;

/**
 * Which objects of a list are wanted, and in which order.
 *
 * @param namespace the only tenant; empty for all that the caller may see
 * @param labelSelector empty for any labels
 * @param fields filters of the API by their names, several values of one separated by commas
 * @param search part of a name, namespace, label value or reason; empty for anything
 * @param sort fields of the API, with - in front for the other direction; empty for the list's own order
 * @param limit most objects; 0 for all
 */
public record ListQuery(
        String namespace, String labelSelector, Map<String, String> fields, String search, String sort, int limit) {
    public ListQuery {
        fields = Map.copyOf(fields);
    }

    public static ListQuery in(String namespace) {
        return new ListQuery(namespace, "", Map.of(), "", "", 0);
    }
}

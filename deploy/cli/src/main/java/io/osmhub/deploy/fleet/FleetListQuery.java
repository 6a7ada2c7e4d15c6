package io.osmhub.deploy.fleet;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Filter of a list.
 *
 * @param namespace the only tenant; empty for all visible ones
 * @param labelSelector empty for any labels
 * @param search part of a name, namespace, label value or reason; empty for any
 */
public record FleetListQuery(String namespace, String labelSelector, String search) {
    public static FleetListQuery in(String namespace) {
        return new FleetListQuery(namespace, "", "");
    }

    /** The API's parameters of one page. */
    Map<String, String> parameters(int pageSize, @Nullable String next) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("limit", Integer.toString(pageSize));
        parameters.put("namespace", namespace);
        parameters.put("labelSelector", labelSelector);
        parameters.put("search", search);
        parameters.put("continue", next == null ? "" : next);
        parameters.values().removeIf(String::isEmpty);
        return parameters;
    }
}

package io.osmhub.api.schema;

import java.util.List;

/** The latest events of a tenant, newest first. */
public record LatestEvents(List<StreamEvent> items) {
    public LatestEvents {
        items = List.copyOf(items);
    }
}

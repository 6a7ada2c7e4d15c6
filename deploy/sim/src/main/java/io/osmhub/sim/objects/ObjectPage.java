package io.osmhub.sim.objects;

import io.osmhub.sim.store.StoredObject;
import java.util.List;

/** One page of a list: {@code next} is the token of the following page, empty on the last; {@code remaining} counts what follows, -1 when unknown. */
public record ObjectPage(List<StoredObject> items, long revision, String next, long remaining) {
    /** Copies the items. */
    public ObjectPage {
        items = List.copyOf(items);
    }
}

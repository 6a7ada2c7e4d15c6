package io.osmhub.sim.objects;

import io.osmhub.sim.resource.ResourceType;
import io.osmhub.sim.select.LabelSelectorMatcher;
import io.osmhub.sim.status.ApiError;
import io.osmhub.sim.store.Store;
import io.osmhub.sim.store.StoredObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Takes pages out of a store. A later page shows the objects as they are then, under the revision of the first page: who watches from there misses nothing. */
final class Paginator {
    private Paginator() {}

    static ObjectPage of(Store store, ResourceType type, ListParameters query) {
        long revision = store.revision();
        String from = "";
        if (!query.token().isEmpty()) {
            ContinueToken token = ContinueToken.read(query.token());
            if (token.revision() < store.compactedTo()) {
                throw ApiError.expired(
                        "The provided continue parameter is too old to display a consistent list result. "
                                + "You can start a new list without the continue parameter.");
            }
            from = token.key();
            revision = token.revision();
        }
        List<StoredObject> items = new ArrayList<>();
        long rest = 0;
        for (StoredObject each : store.listAfter(type.key(), query.namespace(), from)) {
            if (query.selects(each)) {
                if (query.limit() > 0 && items.size() >= query.limit()) {
                    rest++;
                } else {
                    items.add(each);
                }
            }
        }
        if (rest == 0) {
            return new ObjectPage(items, revision, "", -1);
        }
        StoredObject last = items.getLast();
        String next = new ContinueToken(revision, Store.key(last.namespace(), last.name())).text();
        boolean filtered = !query.fields().isEmpty() || query.labels() != LabelSelectorMatcher.EVERYTHING;
        return new ObjectPage(items, revision, next, filtered ? -1 : rest);
    }

    /** Everything as it was at a revision, on one page: who asks for the past asks for little. */
    static ObjectPage at(Store store, ResourceType type, ListParameters query, long revision) {
        Collection<StoredObject> then = store.at(type.key(), revision);
        if (then == null) {
            throw ApiError.expired("The resourceVersion for the provided list is too old.");
        }
        return new ObjectPage(then.stream().filter(query::selects).toList(), revision, "", -1);
    }
}

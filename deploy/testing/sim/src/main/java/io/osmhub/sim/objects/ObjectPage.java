package io.osmhub.sim.objects;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;

/**
 * One page of a list. A later page shows the objects as they are then, with the revision of the first page, so that a watch from there
 * misses nothing.
 *
 * @param next token of the following page; empty on the last
 * @param remaining number of objects after this page; -1 if unknown
 */
public record ObjectPage(List<StoredObject> items, long revision, String next, long remaining) {
    public ObjectPage {
        items = List.copyOf(items);
    }

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
        boolean filtered =
                !query.fields().isEmpty() || !query.labels().requirements().isEmpty();
        return new ObjectPage(items, revision, next, filtered ? -1 : rest);
    }

    /** All objects at a past revision, on one page. */
    static ObjectPage at(Store store, ResourceType type, ListParameters query, long revision) {
        Collection<StoredObject> then = store.at(type.key(), revision);
        if (then == null) {
            throw ApiError.expired("The resourceVersion for the provided list is too old.");
        }
        return new ObjectPage(then.stream().filter(query::selects).toList(), revision, "", -1);
    }

    /** Start of the next page: after this key, at this revision. */
    private record ContinueToken(long revision, String key) {
        String text() {
            String plain = revision + "/" + key;
            return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
        }

        static ContinueToken read(String text) {
            try {
                String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
                int slash = plain.indexOf('/');
                return new ContinueToken(Long.parseLong(plain.substring(0, slash)), plain.substring(slash + 1));
            } catch (IllegalArgumentException | StringIndexOutOfBoundsException malformed) {
                throw ApiError.badRequest("continue key is not valid: " + malformed.getMessage());
            }
        }
    }
}

package io.osmhub.api.console;

import io.osmhub.api.schema.WhyReport.Link.LinkState;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What of one page is kept live, by key. Made anew with each look; not for several threads. */
final class Cells {
    private final Map<String, Cell> cells = new LinkedHashMap<>();
    private final Set<String> rows = new LinkedHashSet<>();

    Cells text(String key, Object text) {
        return put(key, new Cell.Text(text.toString()));
    }

    Cells number(String key, long number) {
        return put(key, new Cell.Text(Figures.number(number)));
    }

    Cells state(String key, Look look) {
        return put(key, new Cell.State(look));
    }

    Cells command(String key, String command) {
        return put(key, new Cell.Command(command));
    }

    /** {@code form} is age, left or clock; an absent moment is a text. */
    Cells moment(String key, String form, Optional<Instant> at, String otherwise) {
        return put(
                key, at.<Cell>map(moment -> new Cell.Moment(form, moment)).orElseGet(() -> new Cell.Text(otherwise)));
    }

    Cells mood(String key, String classes) {
        return put(key, new Cell.Mood(classes));
    }

    Cells shape(String key, Map<String, String> attributes) {
        return put(key, new Cell.Shape(attributes));
    }

    Cells chain(String key, List<LinkState> links) {
        return put(key, new Cell.Chain(links));
    }

    /** Says that the page has a row of this key; which rows it has, and in which order, is compared as well. */
    Cells row(String key) {
        rows.add(key);
        return this;
    }

    private Cells put(String key, Cell cell) {
        cells.put(key, cell);
        return this;
    }

    /** The cell of a key that a template names; every named one must be there. */
    Cell get(String key) {
        Cell cell = cells.get(key);
        if (cell == null) {
            throw new IllegalStateException("the page has no cell " + key);
        }
        return cell;
    }

    /** All cells, in the order in which they were made. */
    Map<String, Cell> all() {
        return Collections.unmodifiableMap(cells);
    }

    /** Keys of the rows in their order. */
    Set<String> rows() {
        return Collections.unmodifiableSet(rows);
    }
}

package io.osmhub.api.console;

import io.osmhub.core.status.Chain.LinkState;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The live cells of one page, by key. Created for each rendering; not thread-safe. */
final class LiveCells {
    private final Map<String, LiveCell> cells = new LinkedHashMap<>();
    private final Set<String> rows = new LinkedHashSet<>();

    LiveCells text(String key, Object text) {
        return put(key, new LiveCell.LabelCell(text.toString()));
    }

    LiveCells number(String key, long number) {
        return put(key, new LiveCell.LabelCell(NumberFormats.number(number)));
    }

    LiveCells state(String key, StateBadge look) {
        return put(key, new LiveCell.StateCell(look));
    }

    LiveCells command(String key, String command) {
        return put(key, new LiveCell.CommandCell(command));
    }

    /** {@code form} is age, left, noAnswer, lasting or clock; without a time, {@code otherwise} is the text. */
    LiveCells time(String key, String form, Optional<Instant> at, String otherwise) {
        return put(
                key,
                at.<LiveCell>map(moment -> new LiveCell.TimeCell(form, moment))
                        .orElseGet(() -> new LiveCell.LabelCell(otherwise)));
    }

    LiveCells classes(String key, String classes) {
        return put(key, new LiveCell.ClassCell(classes));
    }

    LiveCells shape(String key, Map<String, String> attributes) {
        return put(key, new LiveCell.ShapeCell(attributes));
    }

    LiveCells chain(String key, List<LinkState> links) {
        return put(key, new LiveCell.ChainCell(links));
    }

    /** Registers a row of the page; the set and order of rows are compared as well. */
    LiveCells row(String key) {
        rows.add(key);
        return this;
    }

    private LiveCells put(String key, LiveCell cell) {
        cells.put(key, cell);
        return this;
    }

    /** The cell of a key that a template names; must exist. */
    LiveCell get(String key) {
        LiveCell cell = cells.get(key);
        if (cell == null) {
            throw new IllegalStateException("the page has no cell " + key);
        }
        return cell;
    }

    /** All cells, in insertion order. */
    Map<String, LiveCell> all() {
        return Collections.unmodifiableMap(cells);
    }

    /** Keys of the rows in order. */
    Set<String> rows() {
        return Collections.unmodifiableSet(rows);
    }
}

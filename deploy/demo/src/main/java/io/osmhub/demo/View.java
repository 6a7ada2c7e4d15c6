package io.osmhub.demo;

import io.osmhub.demo.screen.Cell;
import io.osmhub.demo.screen.Column;
import io.osmhub.demo.screen.Screen;
import io.osmhub.demo.screen.Table;
import io.osmhub.demo.screen.Tone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of the demo as lines. Pure. */
final class View {
    private static final List<Column> COLUMNS = List.of(
            Column.text("TENANT"),
            Column.text("WORKER"),
            Column.number("MDS"),
            Column.number("SECRETS"),
            Column.number("MACHINES"),
            Column.text("STATE"),
            Column.number("LATENCY"),
            Column.text("LAST CHANGE"));
    private static final int BAR = 30;
    // Heading, the line of what is not shown, progress, an empty line before each part, and one where the cursor
    // stands.
    private static final int ROWS_AROUND = 6;

    private View() {}

    /** Table, progress and hints, cut to the terminal. */
    static List<String> lines(List<ClusterRow> rows, List<String> hints, Screen.Size size, boolean colour) {
        Table table = new Table(COLUMNS);
        int shown = size.rows() == 0
                ? rows.size()
                : Math.clamp(size.rows() - ROWS_AROUND - hints.size(), 1, Math.max(1, rows.size()));
        rows.stream().limit(shown).forEach(row -> table.add(cells(row)));
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(table.lines(size.columns(), colour));
        if (shown < rows.size()) {
            lines.add(fitting(others(rows.subList(shown, rows.size())), size));
        }
        lines.add("");
        lines.add(fitting(progress(rows), size));
        hints.forEach(hint -> lines.add(fitting(hint, size)));
        return lines;
    }

    /** {@code 14 ms}, {@code 1.2 s}; empty when there is none. */
    static String time(@Nullable Duration duration) {
        if (duration == null) {
            return "";
        }
        long millis = duration.toMillis();
        return millis < 1000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }

    private static List<Cell> cells(ClusterRow row) {
        String change = row.problem().isEmpty() ? row.lastChange() : row.problem();
        return List.of(
                Cell.of(row.tenant()),
                Cell.of(row.workerCluster()),
                Cell.of(row.machineDeployments()),
                Cell.of(row.secrets()),
                Cell.of(row.machines() + " of " + row.machinesWanted()),
                new Cell(row.state().isEmpty() ? "-" : row.state(), tone(row.state())),
                Cell.of(time(row.latency())),
                new Cell(change, row.problem().isEmpty() ? Tone.FAINT : Tone.BAD));
    }

    private static Tone tone(String state) {
        return switch (state) {
            case "Synced" -> Tone.GOOD;
            case "Unreachable", "Unauthorized" -> Tone.BAD;
            case "Connecting", "Degraded", "Paused" -> Tone.WAITING;
            default -> Tone.PLAIN;
        };
    }

    private static String others(List<ClusterRow> rows) {
        Map<String, Integer> states = new TreeMap<>();
        rows.forEach(row -> states.merge(row.state().isEmpty() ? "not registered yet" : row.state(), 1, Integer::sum));
        StringBuilder text = new StringBuilder("... and " + rows.size() + " more: ");
        states.forEach(
                (state, count) -> text.append(count).append(' ').append(state).append(", "));
        return text.substring(0, text.length() - 2);
    }

    private static String progress(List<ClusterRow> rows) {
        int running = rows.stream().mapToInt(ClusterRow::machines).sum();
        int wanted = rows.stream().mapToInt(ClusterRow::machinesWanted).sum();
        int full = wanted == 0 ? 0 : BAR * running / wanted;
        return "[" + "#".repeat(full) + ".".repeat(BAR - full) + "] " + running + " of " + wanted
                + " machines booted from right secrets";
    }

    private static String fitting(String line, Screen.Size size) {
        String clean = Cell.of(line).text();
        boolean fits = size.columns() == 0 || clean.length() <= size.columns();
        return fits ? clean : clean.substring(0, size.columns());
    }
}

package io.osmhub.demo;

import io.osmhub.deploy.fleet.DisplayWidth;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Formats the state of the demo. Pure. */
final class DemoView {
    private static final int BAR = 30;
    // Heading, summary of hidden rows, progress, an empty line before table and progress, and the cursor's line.
    private static final int ROWS_AROUND = 6;

    private DemoView() {}

    /** Table, problems, progress and hints, truncated to the terminal. Clusters with a problem come first if not all fit. */
    static List<String> lines(List<ClusterRow> all, List<String> hints, DemoScreen.ScreenSize size, boolean colour) {
        List<ClusterRow> broken =
                all.stream().filter(row -> !row.problem().isEmpty()).toList();
        int room = size.rows() == 0 ? Integer.MAX_VALUE : Math.max(2, size.rows() - ROWS_AROUND - hints.size());
        int problems = Math.min(broken.size(), room / 3 + 1);
        int shown = Math.clamp(room - problems, 1, Math.max(1, all.size()));
        List<ClusterRow> rows = shown >= all.size()
                ? all
                : all.stream()
                        .sorted(Comparator.comparing(row -> row.problem().isEmpty()))
                        .toList();
        TextTable<ClusterRow> table = table(rows.stream().limit(shown).toList());
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(table.lines(true, colour, size.columns()));
        if (shown < rows.size()) {
            lines.add(fitting(others(rows.subList(shown, rows.size())), size));
        }
        for (ClusterRow row : broken.subList(0, problems)) {
            String line = fitting(row.tenant() + "  " + row.problem(), size);
            lines.add(colour ? CellStyle.BAD.colorize(line) : line);
        }
        lines.add("");
        lines.add(fitting(progress(rows), size));
        hints.forEach(hint -> lines.add(fitting(hint, size)));
        return lines;
    }

    /** {@code 14 ms}, {@code 1.2 s}; empty for null. */
    static String time(@Nullable Duration duration) {
        if (duration == null) {
            return "";
        }
        long millis = duration.toMillis();
        return millis < 1000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }

    private static TextTable<ClusterRow> table(List<ClusterRow> rows) {
        return new TextTable<>(rows)
                .text("TENANT", ClusterRow::tenant)
                .text("WORKER", ClusterRow::workerCluster)
                .number("SECRETS", row -> String.valueOf(row.secrets()))
                .number("MACHINES", row -> row.machines() + " of " + row.machinesWanted())
                .cell("STATE", row -> new TextTableCell(row.state().isEmpty() ? "-" : row.state(), style(row.state())))
                .number("LATENCY", row -> time(row.latency()))
                .cell("LAST CHANGE", row -> new TextTableCell(row.lastChange(), CellStyle.FAINT));
    }

    private static CellStyle style(String state) {
        return switch (state) {
            case "Synced" -> CellStyle.GOOD;
            case "Unreachable", "Unauthorized" -> CellStyle.BAD;
            case "Connecting", "Degraded", "No answer", "Paused" -> CellStyle.WARNING;
            default -> CellStyle.PLAIN;
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

    private static String fitting(String line, DemoScreen.ScreenSize size) {
        String clean = TerminalSanitizer.sanitizeLine(line);
        return size.columns() == 0 ? clean : DisplayWidth.cut(clean, size.columns());
    }
}

package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffReport.Item;
import io.osmhub.api.schema.DiffReport.Item.DocumentChange;
import io.osmhub.api.schema.DiffReport.Item.Result;
import io.osmhub.api.schema.DocumentName;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Formats the preview of a change: its extent, the affected objects, and the lines that differ. */
public final class DiffFormatter {
    /** Rows shown per result before the rest is summarized. */
    private static final int SHOWN = 1;

    /** More for rejected configurations, which matter most. */
    private static final int REFUSED_SHOWN = 10;

    private final DiffReport report;
    private final boolean full;
    private final boolean colors;
    private final int width;

    /** @param full show all rows and the lines that differ */
    public DiffFormatter(DiffReport report, boolean full, boolean colors, int width) {
        this.report = report;
        this.full = full;
        this.colors = colors;
        this.width = width;
    }

    /** {@code used by 120 MachineDeployments in 41 tenants: 104 changed, 0 repaired, 14 the same, rejected: 2 (1 already today)}. */
    public static String summary(DiffReport report) {
        String tenants = report.workerClusters() == null
                ? ""
                : " in " + ValueFormatter.countOf(report.workerClusters(), "tenant");
        return "used by " + ValueFormatter.countOf(report.total(), "MachineDeployment") + tenants + ": "
                + report.changed()
                + " changed, " + report.repaired() + " repaired, " + report.same() + " the same, rejected: "
                + report.refused()
                + (report.alreadyRefused() == null || report.alreadyRefused() == 0
                        ? ""
                        : " (" + report.alreadyRefused() + " already today)");
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (report.items().isEmpty()) {
            return lines;
        }
        lines.addAll(table());
        if (full) {
            lines.addAll(patches());
        }
        return lines;
    }

    private List<String> table() {
        Map<Result, Integer> shown = new LinkedHashMap<>();
        List<Item> items = new ArrayList<>();
        for (Item item : report.items()) {
            int most = item.result() == Result.REFUSED ? REFUSED_SHOWN : SHOWN;
            if (full || shown.getOrDefault(item.result(), 0) < most) {
                shown.merge(item.result(), 1, Integer::sum);
                items.add(item);
            }
        }
        TextTable<Item> table = new TextTable<>(items)
                .cell("RESULT", item -> new TextTableCell(word(item), tone(item.result())))
                .text("TENANT", Item::tenant)
                .text(
                        "MACHINEDEPLOYMENT",
                        item -> ValueFormatter.text(item.machineDeployment().namespace()) + "/"
                                + item.machineDeployment().name())
                .text("BOOTSTRAP B", item -> bytes(item, DocumentName.BOOTSTRAP))
                .text("PROVISIONING B", item -> bytes(item, DocumentName.PROVISIONING))
                .text(
                        "REASON",
                        item -> item.problem() == null
                                ? ""
                                : item.problem().classification().reason().wireName());
        List<String> lines = new ArrayList<>(table.lines(true, colors, width));
        for (Item item : items) {
            if (item.problem() != null) {
                String effect = Boolean.TRUE.equals(item.alreadyRefused())
                        ? " is rejected today too: "
                        : " keeps the published one: ";
                lines.add(TerminalSanitizer.sanitizeLine(
                        "  " + item.machineDeployment().name() + " in " + item.tenant() + effect
                                + item.problem().text().message()));
            }
        }
        int rows = shown.values().stream().mapToInt(Integer::intValue).sum();
        int left = report.changed() + report.repaired() + report.refused() - rows;
        if (left > 0) {
            lines.add(
                    String.format(Locale.ROOT, "... %,d more; use --full to show all and the lines that differ", left));
        }
        return lines;
    }

    private static String word(Item item) {
        String word = item.result() == Result.REFUSED ? "Rejected" : ApiJson.word(item.result());
        return word + (Boolean.TRUE.equals(item.alreadyRefused()) ? " (already today)" : "");
    }

    private static CellStyle tone(Result result) {
        return switch (result) {
            case REFUSED -> CellStyle.BAD;
            case CHANGED -> CellStyle.WARNING;
            case REPAIRED -> CellStyle.GOOD;
            case SAME -> CellStyle.FAINT;
        };
    }

    private static String bytes(Item item, DocumentName document) {
        for (DocumentChange change : Objects.requireNonNullElse(item.documents(), List.<DocumentChange>of())) {
            if (change.document() == document) {
                String before = number(change.bytesBefore());
                String after = number(change.bytesAfter());
                return before.equals(after) ? after : before + " -> " + after;
            }
        }
        return "";
    }

    private static String number(@Nullable Long count) {
        return count == null ? "none" : String.format(Locale.ROOT, "%,d", count);
    }

    /** Each distinct diff once, with the number of MachineDeployments it applies to. */
    private List<String> patches() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Item item : report.items()) {
            for (DocumentChange change : Objects.requireNonNullElse(item.documents(), List.<DocumentChange>of())) {
                if (change.patch() != null) {
                    counts.merge(change.patch(), 1, Integer::sum);
                }
            }
        }
        List<String> lines = new ArrayList<>();
        counts.forEach((patch, count) -> {
            lines.add("");
            lines.add("in " + ValueFormatter.countOf(count, "MachineDeployment") + ":");
            patch.lines()
                    .map(TerminalSanitizer::sanitizeLine)
                    .map(this::painted)
                    .forEach(line -> lines.add("  " + line));
        });
        return lines;
    }

    private String painted(String line) {
        if (!colors || line.startsWith("+++") || line.startsWith("---")) {
            return line;
        }
        return line.startsWith("+")
                ? CellStyle.GOOD.colorize(line)
                : line.startsWith("-") ? CellStyle.BAD.colorize(line) : line;
    }
}

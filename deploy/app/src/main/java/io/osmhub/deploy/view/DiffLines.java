package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.DiffReport;
import io.osmhub.api.schema.DiffReport.Item;
import io.osmhub.api.schema.DiffReport.Item.DocumentChange;
import io.osmhub.api.schema.DiffReport.Item.Result;
import io.osmhub.api.schema.DocumentName;
import io.osmhub.deploy.fleet.Plain;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.Cell;
import io.osmhub.deploy.fleet.TextTable.Column;
import io.osmhub.deploy.fleet.Tone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a change that is not applied yet would do, for people: how far it reaches, for whom, and which lines differ. */
public final class DiffLines {
    /** Rows of one result that are shown before the others are said to be like them. */
    private static final int SHOWN = 1;

    /** What would not be published is what people look for. */
    private static final int REFUSED_SHOWN = 10;

    private final DiffReport report;
    private final boolean full;
    private final boolean colors;
    private final int width;

    /** @param full all rows, and the lines that differ */
    public DiffLines(DiffReport report, boolean full, boolean colors, int width) {
        this.report = report;
        this.full = full;
        this.colors = colors;
        this.width = width;
    }

    /** {@code used by 120 MachineDeployments in 41 tenants: 104 changed, 0 repaired, 14 the same, 2 refused}. */
    public static String summary(DiffReport report) {
        String tenants =
                report.workerClusters() == null ? "" : " in " + Words.counted(report.workerClusters(), "tenant");
        return "used by " + Words.counted(report.total(), "MachineDeployment") + tenants + ": " + report.changed()
                + " changed, " + report.repaired() + " repaired, " + report.same() + " the same, " + report.refused()
                + " refused";
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
        TextTable table = new TextTable(List.of(
                Column.text("RESULT"),
                Column.text("TENANT"),
                Column.text("MACHINEDEPLOYMENT"),
                Column.text("BOOTSTRAP B"),
                Column.text("PROVISIONING B"),
                Column.text("REASON")));
        Map<Result, Integer> shown = new LinkedHashMap<>();
        for (Item item : report.items()) {
            int most = item.result() == Result.REFUSED ? REFUSED_SHOWN : SHOWN;
            if (full || shown.getOrDefault(item.result(), 0) < most) {
                shown.merge(item.result(), 1, Integer::sum);
                table.add(List.of(
                        new Cell(ApiJson.word(item.result()), tone(item.result())),
                        Cell.of(item.tenant()),
                        Cell.of(Words.text(item.machineDeployment().namespace()) + "/"
                                + item.machineDeployment().name()),
                        Cell.of(bytes(item, DocumentName.BOOTSTRAP)),
                        Cell.of(bytes(item, DocumentName.PROVISIONING)),
                        Cell.of(
                                item.problem() == null
                                        ? ""
                                        : item.problem().reason().word())));
            }
        }
        List<String> lines = new ArrayList<>(table.lines(true, colors, width));
        int rows = shown.values().stream().mapToInt(Integer::intValue).sum();
        int left = report.changed() + report.repaired() + report.refused() - rows;
        if (left > 0) {
            lines.add(String.format(
                    Locale.ROOT, "... %,d more like it; --full lists all and shows the lines that differ", left));
        }
        return lines;
    }

    private static Tone tone(Result result) {
        return switch (result) {
            case REFUSED -> Tone.BAD;
            case CHANGED -> Tone.WARNING;
            case REPAIRED -> Tone.GOOD;
            case SAME -> Tone.FAINT;
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

    /** Each change of text once, with the number of MachineDeployments that it comes to. */
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
            lines.add("in " + Words.counted(count, "MachineDeployment") + ":");
            patch.lines().map(Plain::line).map(this::painted).forEach(line -> lines.add("  " + line));
        });
        return lines;
    }

    private String painted(String line) {
        if (!colors || line.startsWith("+++") || line.startsWith("---")) {
            return line;
        }
        return line.startsWith("+") ? Tone.GOOD.paint(line) : line.startsWith("-") ? Tone.BAD.paint(line) : line;
    }
}

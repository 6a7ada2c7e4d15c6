package io.osmhub.deploy.view;

import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.Source;
import io.osmhub.core.resource.Condition;
import io.osmhub.deploy.fleet.Spans;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.Cell;
import io.osmhub.deploy.fleet.TextTable.Column;
import io.osmhub.deploy.fleet.Tone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lists of the fleet as tables. */
public final class Tables {
    private Tables() {}

    /**
     * Which columns are shown.
     *
     * @param tenants whether objects of several tenants may be among them
     */
    public record Shown(boolean wide, boolean tenants, Instant now) {}

    private static TextTable table(Shown shown, Column... columns) {
        List<Column> all = new ArrayList<>(List.of(columns));
        if (!shown.tenants()) {
            all.removeIf(column -> column.title().equals("TENANT"));
        }
        return new TextTable(all);
    }

    private static void add(TextTable table, Shown shown, int tenantAt, List<Cell> row) {
        if (!shown.tenants()) {
            row.remove(tenantAt);
        }
        table.add(row);
    }

    /** @param configurations theirs, for hashes; only asked for when it is wide */
    public static TextTable machineDeployments(List<MachineDeployment> items, List<Osc> configurations, Shown shown) {
        List<Column> columns = new ArrayList<>(List.of(
                Column.text("TENANT"),
                Column.text("MACHINEDEPLOYMENT"),
                Column.text("PROFILE"),
                Column.text("VERSION"),
                Column.number("REV"),
                Column.text("NEW NODES"),
                Column.text("TOKEN"),
                Column.text("AGE")));
        if (shown.wide()) {
            columns.addAll(List.of(Column.text("CONTENT"), Column.text("SETTINGS")));
        }
        TextTable table = table(shown, columns.toArray(Column[]::new));
        Map<String, Source> sources = new HashMap<>();
        for (Osc configuration : configurations) {
            if (configuration.source() != null) {
                sources.put(
                        configuration.metadata().namespace() + "/"
                                + configuration.metadata().name(),
                        configuration.source());
            }
        }
        for (MachineDeployment one : items) {
            boolean stale = Boolean.TRUE.equals(one.stale());
            List<Cell> row = new ArrayList<>(List.of(
                    Cell.of(one.tenant()),
                    Cell.of(one.namespace() + "/" + one.name()),
                    Cell.of(Words.profile(one.profile())),
                    Cell.of(Words.text(one.profileVersion())),
                    Cell.of(Words.text(one.revision())),
                    Words.newNodes(one.newNodes()),
                    token(one, stale, shown.now()),
                    age(one.createdAt(), stale, shown.now())));
            if (shown.wide()) {
                Source source = one.osc() == null ? null : sources.get(one.tenant() + "/" + one.osc());
                row.add(Cell.of(source == null ? "" : Words.hash(source.contentHash())));
                row.add(Cell.of(source == null ? "" : Words.hash(source.settingsHash())));
            }
            add(table, shown, 0, row);
        }
        return table;
    }

    private static Cell token(MachineDeployment one, boolean stale, Instant now) {
        if (one.tokenExpiresAt() == null) {
            return stale ? Words.unknown() : Cell.of("");
        }
        String left = Spans.until(one.tokenExpiresAt(), now);
        return new Cell(left, left.equals("ended") ? Tone.BAD : Tone.PLAIN);
    }

    private static Cell age(@Nullable Instant since, boolean stale, Instant now) {
        return since == null && stale ? Words.unknown() : Cell.of(Spans.since(since, now));
    }

    public static TextTable configurations(List<Osc> items, Shown shown) {
        TextTable table = table(
                shown,
                Column.text("TENANT"),
                Column.text("NAME"),
                Column.text("READY"),
                Column.text("NEW NODES"),
                Column.text("PROFILE"),
                Column.text("VERSION"),
                Column.number("REV"),
                Column.text("AGE"));
        for (Osc one : items) {
            Source source = one.source();
            Condition ready = Words.condition(one.conditions(), "Ready").orElse(null);
            add(
                    table,
                    shown,
                    0,
                    new ArrayList<>(List.of(
                            Cell.of(one.metadata().namespace()),
                            Cell.of(one.metadata().name()),
                            Words.status(ready),
                            Words.newNodes(one.newNodes()),
                            Cell.of(source == null ? "" : Words.profile(source.profile())),
                            Cell.of(source == null ? "" : Words.text(source.profileVersion())),
                            Cell.of(source == null ? "" : Words.text(source.machineDeploymentRevision())),
                            Cell.of(Spans.since(one.metadata().createdAt(), shown.now())))));
        }
        return table;
    }

    public static TextTable profiles(List<Osp> items, Shown shown) {
        TextTable table = table(
                shown,
                Column.text("TENANT"),
                Column.text("NAME"),
                Column.text("OS"),
                Column.text("OS VERSION"),
                Column.text("VERSION"),
                Column.text("ENGINE"),
                Column.text("VALID"),
                Column.number("USED BY"));
        for (Osp one : items) {
            String engine =
                    one.templateEngine() == null ? "go" : one.templateEngine().wireName();
            add(
                    table,
                    shown,
                    0,
                    new ArrayList<>(List.of(
                            Cell.of(one.metadata().namespace()),
                            Cell.of(one.metadata().name()),
                            Cell.of(one.osName()),
                            Cell.of(Words.text(one.osVersion())),
                            Cell.of(one.version()),
                            Cell.of(engine.toLowerCase(Locale.ROOT)),
                            Words.status(one.valid()),
                            Cell.of(Integer.toString(one.usedBy().machineDeployments())))));
        }
        return table;
    }

    public static TextTable problems(List<ProblemEntry> items, Shown shown) {
        List<Column> columns = new ArrayList<>(List.of(
                Column.text("SEVERITY"),
                Column.text("TENANT"),
                Column.text("REASON"),
                Column.text("OBJECT"),
                Column.text("ACTS"),
                Column.text("SINCE")));
        if (shown.wide()) {
            columns.add(Column.text("MESSAGE"));
        }
        TextTable table = table(shown, columns.toArray(Column[]::new));
        for (ProblemEntry one : items) {
            List<Cell> row = new ArrayList<>(List.of(
                    Words.severity(one.severity()),
                    Cell.of(Words.text(one.tenant())),
                    Cell.of(one.reason().word()),
                    Cell.of(Words.object(one.object())),
                    Cell.of(one.actor().word()),
                    Cell.of(Spans.since(one.since(), shown.now()))));
            if (shown.wide()) {
                row.add(Cell.of(one.message()));
            }
            add(table, shown, 1, row);
        }
        return table;
    }

    /** The object of a problem, for example {@code md/kube-system/workers-a}. */
    public static String object(ProblemEntry problem) {
        return Words.object(problem.object());
    }

    /** How many there are, and where one reads more of the first. */
    public static String summary(List<ProblemEntry> items) {
        String count = Words.counted(items.size(), "problem");
        for (ProblemEntry one : items) {
            ObjectRef object = one.object();
            if (object != null && object.kind().equals(Noun.MDS.kind()) && one.tenant() != null) {
                return count + "; details: hub why md " + Words.text(object.namespace()) + "/" + object.name() + " -n "
                        + one.tenant();
            }
        }
        for (ProblemEntry one : items) {
            ObjectRef object = one.object();
            if (object != null && one.tenant() != null) {
                String noun = object.kind().equals(Noun.CLUSTERS.kind()) ? "cluster" : Noun.shortOf(object.kind());
                return count + "; details: hub describe " + noun + " " + object.name() + " -n " + one.tenant();
            }
        }
        return count;
    }
}

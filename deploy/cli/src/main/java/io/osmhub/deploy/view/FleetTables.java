package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ConfigurationSource;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.fleet.HumanDuration;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import io.osmhub.deploy.fleet.TextTable.TextTableColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Formats the lists of the fleet as tables. */
public final class FleetTables {
    private static final List<State> BY_HARM = List.of(
            State.UNAUTHORIZED,
            State.UNREACHABLE,
            State.DEGRADED,
            State.CONNECTING,
            State.PAUSED,
            State.CLOSED,
            State.SYNCED);

    private FleetTables() {}

    /**
     * Which columns to show.
     *
     * @param tenants whether objects of several tenants may be included
     * @param configurations for hashes of MachineDeployments; only used if wide
     */
    public record TableScope(boolean wide, boolean tenants, Instant now, List<Osc> configurations) {
        public TableScope {
            configurations = List.copyOf(configurations);
        }

        public TableScope(boolean wide, boolean tenants, Instant now) {
            this(wide, tenants, now, List.of());
        }
    }

    private static TextTable table(TableScope shown, TextTableColumn... columns) {
        List<TextTableColumn> all = new ArrayList<>(List.of(columns));
        if (!shown.tenants()) {
            all.removeIf(column -> column.title().equals("TENANT"));
        }
        return new TextTable(all);
    }

    private static void add(TextTable table, TableScope shown, int tenantAt, List<TextTableCell> row) {
        if (!shown.tenants()) {
            row.remove(tenantAt);
        }
        table.add(row);
    }

    /** Worker clusters, in the order of the list. */
    public static TextTable clusters(List<WorkerClusterEntry> items, TableScope shown) {
        List<TextTableColumn> columns = new ArrayList<>(List.of(
                TextTableColumn.text("TENANT"),
                TextTableColumn.text("NAME"),
                TextTableColumn.text("STATE"),
                TextTableColumn.number("MDS"),
                TextTableColumn.number("CURRENT"),
                TextTableColumn.number("BLOCKED"),
                TextTableColumn.number("PROBLEMS"),
                TextTableColumn.text("VERSION"),
                TextTableColumn.text("CREDENTIAL"),
                TextTableColumn.text("AGE")));
        if (shown.wide()) {
            columns.addAll(List.of(
                    TextTableColumn.text("REASON"),
                    TextTableColumn.text("ENDPOINT"),
                    TextTableColumn.text("LAST SYNC")));
        }
        TextTable table = new TextTable(columns);
        items.forEach(cluster -> table.add(row(cluster, shown)));
        return table;
    }

    private static List<TextTableCell> row(WorkerClusterEntry cluster, TableScope shown) {
        WorkerClusterStatus status = cluster.status();
        WorkerClusterStatus.MachineDeploymentCounts counts = Objects.requireNonNullElse(
                status.machineDeployments(),
                new WorkerClusterStatus.MachineDeploymentCounts(null, null, null, null, null, null));
        List<TextTableCell> row = new ArrayList<>(List.of(
                TextTableCell.of(cluster.metadata().namespace()),
                TextTableCell.of(cluster.metadata().name()),
                new TextTableCell(ApiJson.word(cluster.state()), tone(cluster.state())),
                count(counts.total(), CellStyle.PLAIN),
                count(counts.current(), CellStyle.PLAIN),
                count(counts.blocked(), CellStyle.BAD),
                count(status.problemCount(), CellStyle.WARNING),
                TextTableCell.of(ValueFormatter.text(status.kubernetesVersion())),
                credential(status, shown.now()),
                TextTableCell.of(HumanDuration.since(cluster.metadata().createdAt(), shown.now()))));
        if (shown.wide()) {
            row.add(TextTableCell.of(ValueFormatter.condition(status.conditions(), "Ready")
                    .map(Condition::reason)
                    .orElse("")));
            row.add(TextTableCell.of(ValueFormatter.text(status.endpoint())));
            row.add(TextTableCell.of(HumanDuration.since(ValueFormatter.time(status.lastSyncTime()), shown.now())));
        }
        return row;
    }

    /** @param tone unless the count is 0 */
    private static TextTableCell count(@Nullable Integer count, CellStyle tone) {
        int number = count == null ? 0 : count;
        return new TextTableCell(Integer.toString(number), number == 0 ? CellStyle.PLAIN : tone);
    }

    private static TextTableCell credential(WorkerClusterStatus status, Instant now) {
        String reason = ValueFormatter.condition(status.conditions(), "CredentialsValid")
                .map(Condition::reason)
                .orElse("");
        if (reason.equals("CredentialsRejected")) {
            return new TextTableCell("refused", CellStyle.BAD);
        }
        String left = HumanDuration.until(ValueFormatter.time(status.credentialsExpireAt()), now);
        return new TextTableCell(left, left.equals("ended") ? CellStyle.BAD : CellStyle.PLAIN);
    }

    private static CellStyle tone(State state) {
        return switch (state) {
            case SYNCED -> CellStyle.GOOD;
            case DEGRADED, CONNECTING -> CellStyle.WARNING;
            case UNREACHABLE, UNAUTHORIZED -> CellStyle.BAD;
            case PAUSED, CLOSED -> CellStyle.FAINT;
        };
    }

    /** For example {@code 6 worker clusters: 1 unauthorized, 5 synced}. */
    public static String clusterSummary(List<WorkerClusterEntry> clusters) {
        Map<State, Integer> counts = new EnumMap<>(State.class);
        clusters.forEach(cluster -> counts.merge(cluster.state(), 1, Integer::sum));
        List<String> parts = BY_HARM.stream()
                .filter(counts::containsKey)
                .map(state -> counts.get(state) + " " + ApiJson.word(state).toLowerCase(Locale.ROOT))
                .toList();
        return clusters.size()
                + (clusters.size() == 1 ? " worker cluster" : " worker clusters")
                + (parts.isEmpty() ? "" : ": " + String.join(", ", parts));
    }

    public static TextTable machineDeployments(List<MachineDeploymentEntry> items, TableScope shown) {
        List<TextTableColumn> columns = new ArrayList<>(List.of(
                TextTableColumn.text("TENANT"),
                TextTableColumn.text("MACHINEDEPLOYMENT"),
                TextTableColumn.text("PROFILE"),
                TextTableColumn.text("VERSION"),
                TextTableColumn.number("REV"),
                TextTableColumn.text("NEW NODES"),
                TextTableColumn.text("TOKEN"),
                TextTableColumn.text("AGE")));
        if (shown.wide()) {
            columns.addAll(List.of(TextTableColumn.text("CONTENT"), TextTableColumn.text("SETTINGS")));
        }
        TextTable table = table(shown, columns.toArray(TextTableColumn[]::new));
        Map<String, ConfigurationSource> sources = new HashMap<>();
        for (Osc configuration : shown.configurations()) {
            if (configuration.source() != null) {
                sources.put(
                        configuration.metadata().namespace() + "/"
                                + configuration.metadata().name(),
                        configuration.source());
            }
        }
        for (MachineDeploymentEntry one : items) {
            boolean stale = Boolean.TRUE.equals(one.stale());
            List<TextTableCell> row = new ArrayList<>(List.of(
                    TextTableCell.of(one.tenant()),
                    TextTableCell.of(one.namespace() + "/" + one.name()),
                    TextTableCell.of(ValueFormatter.profile(one.profile())),
                    TextTableCell.of(ValueFormatter.text(one.profileVersion())),
                    TextTableCell.of(ValueFormatter.text(one.revision())),
                    ValueFormatter.newNodes(one.newNodes()),
                    token(one, stale, shown.now()),
                    age(one.createdAt(), stale, shown.now())));
            if (shown.wide()) {
                ConfigurationSource source = one.osc() == null ? null : sources.get(one.tenant() + "/" + one.osc());
                row.add(TextTableCell.of(source == null ? "" : ValueFormatter.hash(source.contentHash())));
                row.add(TextTableCell.of(source == null ? "" : ValueFormatter.hash(source.settingsHash())));
            }
            add(table, shown, 0, row);
        }
        return table;
    }

    private static TextTableCell token(MachineDeploymentEntry one, boolean stale, Instant now) {
        if (one.tokenExpiresAt() == null) {
            return stale ? ValueFormatter.unknown() : TextTableCell.of("");
        }
        String left = HumanDuration.until(one.tokenExpiresAt(), now);
        return new TextTableCell(left, left.equals("ended") ? CellStyle.BAD : CellStyle.PLAIN);
    }

    private static TextTableCell age(@Nullable Instant since, boolean stale, Instant now) {
        return since == null && stale ? ValueFormatter.unknown() : TextTableCell.of(HumanDuration.since(since, now));
    }

    public static TextTable configurations(List<Osc> items, TableScope shown) {
        TextTable table = table(
                shown,
                TextTableColumn.text("TENANT"),
                TextTableColumn.text("NAME"),
                TextTableColumn.text("READY"),
                TextTableColumn.text("NEW NODES"),
                TextTableColumn.text("PROFILE"),
                TextTableColumn.text("VERSION"),
                TextTableColumn.number("REV"),
                TextTableColumn.text("AGE"));
        for (Osc one : items) {
            ConfigurationSource source = one.source();
            Condition ready =
                    ValueFormatter.condition(one.conditions(), "Ready").orElse(null);
            add(
                    table,
                    shown,
                    0,
                    new ArrayList<>(List.of(
                            TextTableCell.of(one.metadata().namespace()),
                            TextTableCell.of(one.metadata().name()),
                            ValueFormatter.status(ready),
                            ValueFormatter.newNodes(one.newNodes()),
                            TextTableCell.of(source == null ? "" : ValueFormatter.profile(source.profile())),
                            TextTableCell.of(source == null ? "" : ValueFormatter.text(source.profileVersion())),
                            TextTableCell.of(
                                    source == null ? "" : ValueFormatter.text(source.machineDeploymentRevision())),
                            TextTableCell.of(HumanDuration.since(one.metadata().createdAt(), shown.now())))));
        }
        return table;
    }

    public static TextTable profiles(List<Osp> items, TableScope shown) {
        TextTable table = table(
                shown,
                TextTableColumn.text("TENANT"),
                TextTableColumn.text("NAME"),
                TextTableColumn.text("OS"),
                TextTableColumn.text("OS VERSION"),
                TextTableColumn.text("VERSION"),
                TextTableColumn.text("ENGINE"),
                TextTableColumn.text("VALID"),
                TextTableColumn.number("USED BY"));
        for (Osp one : items) {
            String engine =
                    one.templateEngine() == null ? "go" : one.templateEngine().wireName();
            add(
                    table,
                    shown,
                    0,
                    new ArrayList<>(List.of(
                            TextTableCell.of(one.metadata().namespace()),
                            TextTableCell.of(one.metadata().name()),
                            TextTableCell.of(one.osName()),
                            TextTableCell.of(ValueFormatter.text(one.osVersion())),
                            TextTableCell.of(one.version()),
                            TextTableCell.of(engine.toLowerCase(Locale.ROOT)),
                            ValueFormatter.status(one.valid()),
                            TextTableCell.of(Integer.toString(one.usedBy().machineDeployments())))));
        }
        return table;
    }

    public static TextTable problems(List<ProblemEntry> items, TableScope shown) {
        List<TextTableColumn> columns = new ArrayList<>(List.of(
                TextTableColumn.text("SEVERITY"),
                TextTableColumn.text("TENANT"),
                TextTableColumn.text("REASON"),
                TextTableColumn.text("OBJECT"),
                TextTableColumn.text("ACTS"),
                TextTableColumn.text("SINCE")));
        if (shown.wide()) {
            columns.add(TextTableColumn.text("MESSAGE"));
        }
        TextTable table = table(shown, columns.toArray(TextTableColumn[]::new));
        for (ProblemEntry one : items) {
            List<TextTableCell> row = new ArrayList<>(List.of(
                    ValueFormatter.severity(one.severity()),
                    TextTableCell.of(ValueFormatter.text(one.tenant())),
                    TextTableCell.of(one.reason().wireName()),
                    TextTableCell.of(ValueFormatter.object(one.object())),
                    TextTableCell.of(one.actor().wireName()),
                    TextTableCell.of(HumanDuration.since(one.since(), shown.now()))));
            if (shown.wide()) {
                row.add(TextTableCell.of(one.message()));
            }
            add(table, shown, 1, row);
        }
        return table;
    }

    /** The object of a problem, for example {@code md/kube-system/workers-a}. */
    public static String object(ProblemEntry problem) {
        return ValueFormatter.object(problem.object());
    }

    /** The number of problems, and the command for details of the first. */
    public static String summary(List<ProblemEntry> items) {
        String count = ValueFormatter.countOf(items.size(), "problem");
        for (ProblemEntry one : items) {
            ObjectRef object = one.object();
            if (object != null && object.kind().equals(ResourceAlias.MDS.kind()) && one.tenant() != null) {
                return count + "; details: hub why md " + ValueFormatter.text(object.namespace()) + "/" + object.name()
                        + " -n " + one.tenant();
            }
        }
        for (ProblemEntry one : items) {
            ObjectRef object = one.object();
            if (object != null && one.tenant() != null) {
                String noun = object.kind().equals(ResourceAlias.CLUSTERS.kind())
                        ? "cluster"
                        : ResourceAlias.shortFormOf(object.kind());
                return count + "; details: hub describe " + noun + " " + object.name() + " -n " + one.tenant();
            }
        }
        return count;
    }
}

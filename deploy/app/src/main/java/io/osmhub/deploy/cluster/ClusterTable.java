package io.osmhub.deploy.cluster;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.fleet.CellStyle;
import io.osmhub.deploy.fleet.HumanDuration;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import io.osmhub.deploy.fleet.TextTable.TextTableColumn;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Formats worker clusters as a table. */
public final class ClusterTable {
    private static final List<State> BY_HARM = List.of(
            State.UNAUTHORIZED,
            State.UNREACHABLE,
            State.DEGRADED,
            State.CONNECTING,
            State.PAUSED,
            State.CLOSED,
            State.SYNCED);

    private final List<WorkerClusterEntry> clusters;
    private final Instant now;

    public ClusterTable(List<WorkerClusterEntry> clusters, Instant now) {
        this.clusters = List.copyOf(clusters);
        this.now = now;
    }

    /** {@code wide} adds columns. */
    public TextTable table(boolean wide) {
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
        if (wide) {
            columns.addAll(List.of(
                    TextTableColumn.text("REASON"),
                    TextTableColumn.text("ENDPOINT"),
                    TextTableColumn.text("LAST SYNC")));
        }
        TextTable table = new TextTable(columns);
        clusters.forEach(cluster -> table.add(row(cluster, wide)));
        return table;
    }

    private List<TextTableCell> row(WorkerClusterEntry cluster, boolean wide) {
        WorkerClusterStatus status = cluster.status();
        WorkerClusterStatus.MachineDeploymentCounts counts = status.machineDeployments();
        List<TextTableCell> row = new ArrayList<>(List.of(
                TextTableCell.of(cluster.metadata().namespace()),
                TextTableCell.of(cluster.metadata().name()),
                new TextTableCell(ApiJson.word(cluster.state()), tone(cluster.state())),
                TextTableCell.of(number(counts == null ? null : counts.total())),
                TextTableCell.of(number(counts == null ? null : counts.current())),
                new TextTableCell(
                        number(counts == null ? null : counts.blocked()),
                        counts == null || zero(counts.blocked()) ? CellStyle.PLAIN : CellStyle.BAD),
                new TextTableCell(
                        number(status.problemCount()),
                        zero(status.problemCount()) ? CellStyle.PLAIN : CellStyle.WARNING),
                TextTableCell.of(text(status.kubernetesVersion())),
                credential(status),
                TextTableCell.of(HumanDuration.since(cluster.metadata().createdAt(), now))));
        if (wide) {
            row.add(TextTableCell.of(
                    condition(status, "Ready").map(Condition::reason).orElse("")));
            row.add(TextTableCell.of(text(status.endpoint())));
            row.add(TextTableCell.of(HumanDuration.since(time(status.lastSyncTime()), now)));
        }
        return row;
    }

    private TextTableCell credential(WorkerClusterStatus status) {
        String reason =
                condition(status, "CredentialsValid").map(Condition::reason).orElse("");
        if (reason.equals("CredentialsRejected")) {
            return new TextTableCell("refused", CellStyle.BAD);
        }
        String left = HumanDuration.until(time(status.credentialsExpireAt()), now);
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

    static Optional<Condition> condition(WorkerClusterStatus status, String type) {
        List<Condition> conditions = status.conditions();
        return conditions == null
                ? Optional.empty()
                : conditions.stream()
                        .filter(condition -> condition.type().equals(type))
                        .findFirst();
    }

    private static String number(@Nullable Integer count) {
        return count == null ? "0" : count.toString();
    }

    private static boolean zero(@Nullable Integer count) {
        return count == null || count == 0;
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable Instant time(@Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** For example {@code 6 worker clusters: 1 unauthorized, 5 synced}. */
    public String summary() {
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
}

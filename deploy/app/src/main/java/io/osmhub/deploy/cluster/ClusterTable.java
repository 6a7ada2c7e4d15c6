package io.osmhub.deploy.cluster;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.fleet.Spans;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.Cell;
import io.osmhub.deploy.fleet.TextTable.Column;
import io.osmhub.deploy.fleet.Tone;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Worker clusters as a table. */
public final class ClusterTable {
    private static final List<State> BY_HARM = List.of(
            State.UNAUTHORIZED,
            State.UNREACHABLE,
            State.DEGRADED,
            State.CONNECTING,
            State.PAUSED,
            State.CLOSED,
            State.SYNCED);

    private final List<WorkerCluster> clusters;
    private final Instant now;

    public ClusterTable(List<WorkerCluster> clusters, Instant now) {
        this.clusters = List.copyOf(clusters);
        this.now = now;
    }

    /** With more columns when {@code wide}. */
    public TextTable table(boolean wide) {
        List<Column> columns = new ArrayList<>(List.of(
                Column.text("TENANT"),
                Column.text("NAME"),
                Column.text("STATE"),
                Column.number("MDS"),
                Column.number("CURRENT"),
                Column.number("BLOCKED"),
                Column.number("PROBLEMS"),
                Column.text("VERSION"),
                Column.text("CREDENTIAL"),
                Column.text("AGE")));
        if (wide) {
            columns.addAll(List.of(Column.text("REASON"), Column.text("ENDPOINT"), Column.text("LAST SYNC")));
        }
        TextTable table = new TextTable(columns);
        clusters.forEach(cluster -> table.add(row(cluster, wide)));
        return table;
    }

    private List<Cell> row(WorkerCluster cluster, boolean wide) {
        WorkerClusterStatus status = cluster.status();
        WorkerClusterStatus.MachineDeploymentCounts counts = status.machineDeployments();
        List<Cell> row = new ArrayList<>(List.of(
                Cell.of(cluster.metadata().namespace()),
                Cell.of(cluster.metadata().name()),
                new Cell(ApiJson.word(cluster.state()), tone(cluster.state())),
                Cell.of(number(counts == null ? null : counts.total())),
                Cell.of(number(counts == null ? null : counts.current())),
                new Cell(
                        number(counts == null ? null : counts.blocked()),
                        counts == null || zero(counts.blocked()) ? Tone.PLAIN : Tone.BAD),
                new Cell(number(status.problemCount()), zero(status.problemCount()) ? Tone.PLAIN : Tone.WARNING),
                Cell.of(text(status.kubernetesVersion())),
                credential(status),
                Cell.of(Spans.since(cluster.metadata().createdAt(), now))));
        if (wide) {
            row.add(Cell.of(condition(status, "Ready").map(Condition::reason).orElse("")));
            row.add(Cell.of(text(status.endpoint())));
            row.add(Cell.of(Spans.since(time(status.lastSyncTime()), now)));
        }
        return row;
    }

    private Cell credential(WorkerClusterStatus status) {
        String reason =
                condition(status, "CredentialsValid").map(Condition::reason).orElse("");
        if (reason.equals("CredentialsRejected")) {
            return new Cell("refused", Tone.BAD);
        }
        String left = Spans.until(time(status.credentialsExpireAt()), now);
        return new Cell(left, left.equals("ended") ? Tone.BAD : Tone.PLAIN);
    }

    private static Tone tone(State state) {
        return switch (state) {
            case SYNCED -> Tone.GOOD;
            case DEGRADED, CONNECTING -> Tone.WARNING;
            case UNREACHABLE, UNAUTHORIZED -> Tone.BAD;
            case PAUSED, CLOSED -> Tone.FAINT;
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

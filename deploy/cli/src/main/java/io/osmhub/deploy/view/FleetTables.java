package io.osmhub.deploy.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.inventory.StatusParser;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ConfigurationSource;
import io.osmhub.api.schema.EffectiveSettings.Item;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.Summary.Cause;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.MachineDeploymentCounts;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.deploy.fleet.HumanDuration;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
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

    private static <T> TextTable<T> table(List<T> items, TableScope shown, Function<T, @Nullable String> tenant) {
        TextTable<T> table = new TextTable<>(items);
        return shown.tenants() ? table.text("TENANT", tenant) : table;
    }

    /** Worker clusters, in the order of the list. */
    public static TextTable<WorkerClusterEntry> clusters(List<WorkerClusterEntry> items, TableScope shown) {
        Instant now = shown.now();
        TextTable<WorkerClusterEntry> table = new TextTable<>(items)
                .text("TENANT", one -> one.metadata().namespace())
                .text("NAME", one -> one.metadata().name())
                .cell("STATE", one -> state(one, now))
                .numberCell("MDS", one -> count(counts(one).total(), CellStyle.PLAIN))
                .numberCell("CURRENT", one -> count(counts(one).current(), CellStyle.PLAIN))
                .numberCell("BLOCKED", one -> count(counts(one).blocked(), CellStyle.BAD))
                .numberCell("PROBLEMS", one -> count(one.status().problemCount(), CellStyle.WARNING))
                .text("VERSION", one -> one.status().kubernetesVersion())
                .cell("CREDENTIAL", one -> credential(one.status(), now))
                .text("AGE", one -> HumanDuration.since(one.metadata().createdAt(), now));
        if (shown.wide()) {
            table.text("REASON", one -> ValueFormatter.condition(one.status().conditions(), "Ready")
                            .map(Condition::reason)
                            .orElse(""))
                    .text("ENDPOINT", one -> one.status().endpoint())
                    .text("CHECKED", one -> checked(one.status(), now));
        }
        return table;
    }

    /** While a worker cluster is connected, it is watched; otherwise its state was seen last before the connection ended. */
    private static String checked(WorkerClusterStatus status, Instant now) {
        Condition connected =
                ValueFormatter.condition(status.conditions(), "Connected").orElse(null);
        if (connected == null || status.clusterID() == null) {
            return "never";
        }
        return connected.status() == Condition.Status.TRUE
                ? "now"
                : HumanDuration.since(StatusParser.time(connected.lastTransitionTime()), now);
    }

    /** For example {@code Synced, no answer for 12s}. */
    private static TextTableCell state(WorkerClusterEntry cluster, Instant now) {
        String noAnswer = ValueFormatter.noAnswer(cluster.status(), now);
        String state = ApiJson.word(cluster.state());
        return noAnswer.isEmpty()
                ? new TextTableCell(state, tone(cluster.state()))
                : new TextTableCell(state + ", " + noAnswer, CellStyle.BAD);
    }

    private static MachineDeploymentCounts counts(WorkerClusterEntry cluster) {
        return Objects.requireNonNullElse(
                cluster.status().machineDeployments(), new MachineDeploymentCounts(null, null, null, null, null, null));
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
            return new TextTableCell("rejected", CellStyle.BAD);
        }
        return remaining(StatusParser.time(status.credentialsExpireAt()), now);
    }

    private static TextTableCell remaining(@Nullable Instant end, Instant now) {
        String left = HumanDuration.until(end, now);
        return new TextTableCell(left, left.equals("expired") ? CellStyle.BAD : CellStyle.PLAIN);
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
        return ValueFormatter.countOf(clusters.size(), "worker cluster")
                + (parts.isEmpty() ? "" : ": " + String.join(", ", parts));
    }

    public static TextTable<MachineDeploymentEntry> machineDeployments(
            List<MachineDeploymentEntry> items, TableScope shown) {
        Instant now = shown.now();
        TextTable<MachineDeploymentEntry> table = table(
                        items, shown, one -> one.identity().tenant())
                .text("MACHINEDEPLOYMENT", one -> one.identity().path())
                .text("PROFILE", one -> ValueFormatter.profile(one.published().profile()))
                .text("VERSION", one -> one.published().profileVersion())
                .number("REV", one -> one.rollout().revision())
                .cell("NEW NODES", one -> ValueFormatter.newNodes(one.effect().newNodes()))
                .cell("TOKEN", one -> known(one, one.tokenExpiresAt(), remaining(one.tokenExpiresAt(), now)))
                .cell(
                        "AGE",
                        one -> known(
                                one,
                                one.identity().createdAt(),
                                TextTableCell.of(
                                        HumanDuration.since(one.identity().createdAt(), now))));
        if (shown.wide()) {
            Map<String, ConfigurationSource> sources = new HashMap<>();
            for (Osc configuration : shown.configurations()) {
                if (configuration.source() != null) {
                    sources.put(
                            configuration.metadata().namespace() + "/"
                                    + configuration.metadata().name(),
                            configuration.source());
                }
            }
            table.text("CONTENT", one -> hash(one, sources, ConfigurationSource::contentHash))
                    .text("SETTINGS", one -> hash(one, sources, ConfigurationSource::settingsHash));
        }
        return table;
    }

    /** The cell, or a question mark if the replica that has the value did not answer. */
    private static TextTableCell known(MachineDeploymentEntry one, @Nullable Instant value, TextTableCell cell) {
        return value == null && one.unansweredBy() != null ? new TextTableCell("?", CellStyle.FAINT) : cell;
    }

    private static String hash(
            MachineDeploymentEntry one,
            Map<String, ConfigurationSource> sources,
            Function<ConfigurationSource, @Nullable String> hash) {
        ConfigurationSource source =
                one.osc() == null ? null : sources.get(one.identity().tenant() + "/" + one.osc());
        return source == null ? "" : ValueFormatter.hash(hash.apply(source));
    }

    public static TextTable<Osc> configurations(List<Osc> items, TableScope shown) {
        return table(items, shown, one -> one.metadata().namespace())
                .text("NAME", one -> one.metadata().name())
                .cell(
                        "READY",
                        one -> ValueFormatter.status(ValueFormatter.condition(one.conditions(), "Ready")
                                .orElse(null)))
                .cell("NEW NODES", one -> ValueFormatter.newNodes(one.newNodes()))
                .text("PROFILE", one -> ValueFormatter.profile(sourced(one, ConfigurationSource::profile)))
                .text("VERSION", one -> sourced(one, ConfigurationSource::profileVersion))
                .number("REV", one -> sourced(one, ConfigurationSource::machineDeploymentRevision))
                .text("AGE", one -> HumanDuration.since(one.metadata().createdAt(), shown.now()));
    }

    private static @Nullable String sourced(Osc one, Function<ConfigurationSource, @Nullable String> value) {
        return one.source() == null ? null : value.apply(one.source());
    }

    public static TextTable<Osp> profiles(List<Osp> items, TableScope shown) {
        return table(items, shown, one -> one.metadata().namespace())
                .text("NAME", one -> one.metadata().name())
                .text("OS", Osp::osName)
                .text("OS VERSION", Osp::osVersion)
                .text("VERSION", Osp::version)
                .text(
                        "ENGINE",
                        one -> one.templateEngine() == null
                                ? "go"
                                : one.templateEngine().wireName().toLowerCase(Locale.ROOT))
                .cell("VALID", one -> ValueFormatter.status(one.valid()))
                .number("USED BY", one -> Integer.toString(one.usedBy().machineDeployments()));
    }

    public static TextTable<ProblemEntry> problems(List<ProblemEntry> items, TableScope shown) {
        TextTable<ProblemEntry> table = new TextTable<>(items)
                .cell(
                        "SEVERITY",
                        one -> new TextTableCell(
                                one.classification().severity().wireName(),
                                ValueFormatter.tone(one.classification().severity())));
        if (shown.tenants()) {
            table.text("TENANT", one -> one.subject().tenant());
        }
        table.text("REASON", one -> one.classification().reason().wireName())
                .text("OBJECT", FleetTables::object)
                .text("ACTOR", one -> one.classification().actor().wireName())
                .text("SINCE", one -> HumanDuration.since(one.course().since(), shown.now()));
        table.text("CAUSE", ValueFormatter::cause);
        return shown.wide() ? table.text("MESSAGE", one -> one.text().message()) : table;
    }

    /** Causes, worst first. */
    public static TextTable<Cause> causes(List<Cause> items, TableScope shown) {
        TextTable<Cause> table = new TextTable<>(items)
                .cell(
                        "SEVERITY",
                        one -> new TextTableCell(one.severity().wireName(), ValueFormatter.tone(one.severity())))
                .text("REASON", one -> one.reason().wireName())
                .text("OBJECT", one -> ValueFormatter.object(one.object()))
                .text("ACTOR", one -> one.actor() == null ? "" : one.actor().wireName())
                .numberCell("TENANTS", one -> count(one.workerClusters(), CellStyle.PLAIN))
                .numberCell("BLOCKED", one -> count(one.blocked(), CellStyle.BAD))
                .numberCell("OUTDATED", one -> count(one.outdated(), CellStyle.WARNING))
                .numberCell("AT RISK", one -> count(one.atRisk(), CellStyle.WARNING))
                .text("SINCE", one -> HumanDuration.since(one.since(), shown.now()))
                .text("CAUSE", one -> Objects.requireNonNullElse(one.headline(), ValueFormatter.text(one.message())));
        return shown.wide() ? table.text("FIRST", Cause::first).text("FIX", ValueFormatter::fix) : table;
    }

    /** Effective settings of one tenant. */
    public static TextTable<Item> settings(List<Item> items, TableScope shown) {
        TextTable<Item> table = new TextTable<>(items)
                .text("SETTING", Item::field)
                .text("VALUE", one -> value(one.value()))
                .text("SOURCE", FleetTables::source);
        return shown.wide() ? table.text("FLAG", Item::flag) : table;
    }

    private static String value(@Nullable JsonNode value) {
        return value == null || value.isNull() ? "" : value.isTextual() ? value.textValue() : value.toString();
    }

    private static String source(Item item) {
        List<String> origins = item.origins();
        return origins != null
                ? String.join(", ", origins)
                : switch (item.source()) {
                    case TENANT -> "WorkerCluster spec." + item.field();
                    case PLATFORM -> "platform";
                    case HUB -> "hub configuration defaults." + item.field();
                    case BUILT_IN -> "built-in default";
                };
    }

    /** The object of a problem, for example {@code md/kube-system/workers-a}. */
    public static String object(ProblemEntry problem) {
        return ValueFormatter.object(problem.subject().object());
    }

    /** The number of problems, and the command for details of the first MachineDeployment. */
    public static String summary(List<ProblemEntry> items) {
        String count = ValueFormatter.countOf(items.size(), "problem");
        for (ProblemEntry one : items) {
            ObjectRef object = one.subject().object();
            if (object != null
                    && object.kind().equals(ResourceAlias.MDS.kind())
                    && one.subject().tenant() != null) {
                return count + "; details: hub why md " + ValueFormatter.text(object.namespace()) + "/" + object.name()
                        + " -n " + one.subject().tenant();
            }
        }
        return count;
    }
}

package io.osmhub.deploy.view;

import io.osmhub.api.inventory.StatusParser;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.Summary.Cause;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.deploy.fleet.HumanDuration;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Formats values for tables and descriptions. */
public final class ValueFormatter {
    private static final int SHORT_HASH = 8;

    private ValueFormatter() {}

    static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The profile's name without its namespace. */
    static String profile(@Nullable String profile) {
        return profile == null ? "" : profile.substring(profile.indexOf('/') + 1);
    }

    static String hash(@Nullable String hash) {
        return hash == null ? "" : hash.substring(0, Math.min(SHORT_HASH, hash.length()));
    }

    /** For example {@code no answer for 12s}; empty while the API server answers. */
    static String noAnswer(WorkerClusterStatus status, Instant now) {
        Instant since = StatusParser.time(status.noAnswerSince());
        return since == null ? "" : "no answer for " + HumanDuration.since(since, now);
    }

    /** The cause of a problem in one clause. */
    public static String cause(ProblemEntry problem) {
        return Objects.requireNonNullElse(
                problem.text().headline(), problem.text().message());
    }

    /** What to change, then the command to copy with the cluster that it is for. */
    public static String fix(ProblemEntry problem) {
        ProblemEntry.ProblemFix fix = problem.fix();
        Command command = fix.command() == null
                ? Command.NONE
                : new Command(Objects.requireNonNullElse(fix.commandCluster(), Cluster.MANAGEMENT), fix.command());
        return fix(text(fix.cure()), command, text(problem.subject().workerCluster()));
    }

    /** What to change, then the command to copy with the cluster that it is for. */
    static String fix(Cause cause) {
        Command command = cause.command() == null
                ? Command.NONE
                : new Command(Objects.requireNonNullElse(cause.commandCluster(), Cluster.MANAGEMENT), cause.command());
        String first = text(cause.first());
        return fix(text(cause.cure()), command, first.substring(first.indexOf('/') + 1));
    }

    /** What to change, then the command to copy with the cluster that it is for. */
    public static String fix(Problem problem) {
        return fix(problem.fix(), problem.command(), problem.scope().workerCluster());
    }

    private static String fix(String change, Command command, String workerCluster) {
        String run = command.isEmpty() ? "" : command.describe(workerCluster);
        return change + (change.isEmpty() || run.isEmpty() ? "" : ": ") + run;
    }

    static TextTableCell newNodes(NewNodes newNodes) {
        CellStyle tone =
                switch (newNodes) {
                    case CURRENT -> CellStyle.GOOD;
                    case AT_RISK, OUTDATED -> CellStyle.WARNING;
                    case BLOCKED -> CellStyle.BAD;
                    case PENDING -> CellStyle.FAINT;
                };
        return new TextTableCell(ApiJson.word(newNodes), tone);
    }

    static CellStyle tone(Severity severity) {
        return switch (severity) {
            case ERROR -> CellStyle.BAD;
            case WARNING -> CellStyle.WARNING;
            case INFO -> CellStyle.PLAIN;
        };
    }

    static TextTableCell status(@Nullable Condition condition) {
        if (condition == null) {
            return TextTableCell.of("Unknown");
        }
        CellStyle tone =
                switch (condition.status()) {
                    case TRUE -> CellStyle.GOOD;
                    case FALSE -> CellStyle.BAD;
                    case UNKNOWN -> CellStyle.WARNING;
                };
        return new TextTableCell(ApiJson.word(condition.status()), tone);
    }

    static Optional<Condition> condition(@Nullable List<Condition> conditions, String type) {
        return conditions == null
                ? Optional.empty()
                : conditions.stream()
                        .filter(condition -> condition.type().equals(type))
                        .findFirst();
    }

    /** {@code md/kube-system/general}, {@code wc/shop}. */
    static String object(@Nullable ObjectRef object) {
        if (object == null) {
            return "";
        }
        boolean worker = object.cluster() == Cluster.WORKER && object.namespace() != null;
        return ResourceAlias.shortFormOf(object.kind()) + "/" + (worker ? object.namespace() + "/" : "")
                + object.name();
    }

    /** For example {@code 1 error} or {@code 2 errors}. */
    public static String countOf(int count, String one) {
        return String.format(Locale.ROOT, "%,d %s%s", count, one, count == 1 ? "" : "s");
    }
}

package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.deploy.fleet.HumanDuration;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
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
        Instant since = time(status.noAnswerSince());
        return since == null ? "" : "no answer for " + HumanDuration.since(since, now);
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
        boolean worker = object.cluster() == ObjectRef.Cluster.WORKER && object.namespace() != null;
        return ResourceAlias.shortFormOf(object.kind()) + "/" + (worker ? object.namespace() + "/" : "")
                + object.name();
    }

    static @Nullable Instant time(@Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            // A status written by another version may contain any text.
            return null;
        }
    }

    static String bytes(long count) {
        return String.format(Locale.ROOT, "%,d B", count);
    }

    /** {@code 40 s}, {@code 38 min}, {@code 17 h}, {@code 12 d}. */
    static String age(Duration age) {
        if (age.toMinutes() < 1) {
            return Math.max(0, age.toSeconds()) + " s";
        }
        if (age.toHours() < 3) {
            return age.toMinutes() + " min";
        }
        return age.toDays() < 3 ? age.toHours() + " h" : age.toDays() + " d";
    }

    static String milliseconds(@Nullable Integer milliseconds) {
        if (milliseconds == null) {
            return "";
        }
        return milliseconds < 1_000
                ? milliseconds + " ms"
                : String.format(Locale.ROOT, "%.1f s", milliseconds / 1_000.0);
    }

    /** For example {@code 1 error} or {@code 2 errors}. */
    public static String countOf(int count, String one) {
        return String.format(Locale.ROOT, "%,d %s%s", count, one, count == 1 ? "" : "s");
    }
}

package io.osmhub.deploy.view;

import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.deploy.fleet.TextTable.Cell;
import io.osmhub.deploy.fleet.Tone;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Values as tables and descriptions say them. */
final class Words {
    private static final int SHORT_HASH = 8;

    private Words() {}

    static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** What is not known from where it was asked. */
    static Cell unknown() {
        return new Cell("?", Tone.FAINT);
    }

    /** The name of a profile without its namespace. */
    static String profile(@Nullable String profile) {
        return profile == null ? "" : profile.substring(profile.indexOf('/') + 1);
    }

    static String hash(@Nullable String hash) {
        return hash == null ? "" : hash.substring(0, Math.min(SHORT_HASH, hash.length()));
    }

    static Cell newNodes(NewNodes newNodes) {
        Tone tone =
                switch (newNodes) {
                    case CURRENT -> Tone.GOOD;
                    case AT_RISK, OUTDATED -> Tone.WARNING;
                    case BLOCKED -> Tone.BAD;
                    case PENDING -> Tone.FAINT;
                };
        return new Cell(ApiJson.word(newNodes), tone);
    }

    static Cell severity(Severity severity) {
        return new Cell(severity.word(), tone(severity));
    }

    static Tone tone(Severity severity) {
        return switch (severity) {
            case ERROR -> Tone.BAD;
            case WARNING -> Tone.WARNING;
            case INFO -> Tone.PLAIN;
        };
    }

    static Cell status(@Nullable Condition condition) {
        if (condition == null) {
            return Cell.of("Unknown");
        }
        Tone tone =
                switch (condition.status()) {
                    case TRUE -> Tone.GOOD;
                    case FALSE -> Tone.BAD;
                    case UNKNOWN -> Tone.WARNING;
                };
        return new Cell(ApiJson.word(condition.status()), tone);
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
        return Noun.shortOf(object.kind()) + "/" + (worker ? object.namespace() + "/" : "") + object.name();
    }

    static @Nullable Instant time(@Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException e) {
            // A status of another version may say anything.
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

    static String took(@Nullable Integer milliseconds) {
        if (milliseconds == null) {
            return "";
        }
        return milliseconds < 1_000
                ? milliseconds + " ms"
                : String.format(Locale.ROOT, "%.1f s", milliseconds / 1_000.0);
    }

    static String counted(int count, String one) {
        return String.format(Locale.ROOT, "%,d %s%s", count, one, count == 1 ? "" : "s");
    }
}

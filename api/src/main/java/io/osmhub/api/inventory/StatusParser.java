package io.osmhub.api.inventory;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses values of statuses. */
public final class StatusParser {
    private StatusParser() {}

    /** Null if the text is absent or not a valid time: another version may have written the status. */
    public static @Nullable Instant time(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    public static @Nullable Condition condition(@Nullable List<Condition> conditions, String type) {
        return NullableCollections.stream(conditions)
                .filter(condition -> condition.type().equals(type))
                .findFirst()
                .orElse(null);
    }

    /** Reason of a status. An unknown reason of a newer version counts as a fault of the hub, as in conditions. */
    public static Reason reason(String word) {
        return Reason.of(word).orElse(Reason.InternalError);
    }

    /** Whether a condition represents a problem. */
    static boolean isProblem(Condition condition) {
        return condition.status() != Condition.Status.TRUE
                        && reason(condition.reason()).severity() != Severity.INFO
                || condition.status() == Condition.Status.TRUE
                        && reason(condition.reason()).severity() == Severity.WARNING;
    }

    /** A version such as v1.34.4 as a sortable number; null if invalid. */
    static @Nullable Long version(@Nullable String text) {
        if (text == null) {
            return null;
        }
        long version = 0;
        int parts = 0;
        int at = text.startsWith("v") ? 1 : 0;
        while (parts < 3 && at < text.length() && Character.isDigit(text.charAt(at))) {
            long part = 0;
            while (at < text.length() && Character.isDigit(text.charAt(at))) {
                part = Math.min(part * 10 + Character.digit(text.charAt(at), 10), 99_999);
                at++;
            }
            version = version * 100_000 + part;
            parts++;
            if (at < text.length() && text.charAt(at) == '.') {
                at++;
            } else {
                break;
            }
        }
        for (int missing = parts; missing < 3; missing++) {
            version *= 100_000;
        }
        return parts == 0 ? null : Long.valueOf(version);
    }

    /** Whether a version belongs to a minor such as 1.34. */
    static boolean isOfMinor(@Nullable String version, String minor) {
        if (version == null) {
            return false;
        }
        String plain = version.startsWith("v") ? version.substring(1) : version;
        return plain.startsWith(minor)
                && (plain.length() == minor.length() || !Character.isDigit(plain.charAt(minor.length())));
    }
}

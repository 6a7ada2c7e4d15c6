package io.osmhub.deploy.fleet;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Formats durations for tables, in one or two units. */
public final class HumanDuration {
    private static final Duration TWO_MINUTES = Duration.ofMinutes(2);
    private static final Duration TEN_HOURS = Duration.ofHours(10);
    private static final Duration TWO_DAYS = Duration.ofDays(2);

    private HumanDuration() {}

    /** For example {@code 41d}, {@code 17h}, {@code 1h21m}, {@code 29m} or {@code 45s}. */
    public static String of(Duration span) {
        Duration positive = span.isNegative() ? Duration.ZERO : span;
        if (positive.compareTo(TWO_MINUTES) < 0) {
            return positive.toSeconds() + "s";
        }
        if (positive.compareTo(Duration.ofHours(1)) < 0) {
            return positive.toMinutes() + "m";
        }
        if (positive.compareTo(TEN_HOURS) < 0) {
            int minutes = positive.toMinutesPart();
            return positive.toHours() + "h" + (minutes == 0 ? "" : minutes + "m");
        }
        return positive.compareTo(TWO_DAYS) < 0 ? positive.toHours() + "h" : positive.toDays() + "d";
    }

    /** Time since the past instant; empty for null. */
    public static String since(@Nullable Instant time, Instant now) {
        return time == null ? "" : of(Duration.between(time, now));
    }

    /** Time until the future instant; {@code expired} if it has passed, empty for null. */
    public static String until(@Nullable Instant time, Instant now) {
        return time == null ? "" : time.isAfter(now) ? of(Duration.between(now, time)) : "expired";
    }
}

package io.osmhub.core.status;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Formats times and durations for messages. */
public final class UnitFormatter {
    private UnitFormatter() {}

    /** RFC 3339 in UTC, to the second. */
    public static String formatTime(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The two largest units, for example {@code 3 min 20 s}, {@code 2 d 4 h}, {@code 340 ms}; never negative. */
    public static String formatDuration(Duration duration) {
        if (duration.isNegative()) {
            return "0 s";
        }
        if (duration.toDays() > 0) {
            return pair(duration.toDays(), "d", duration.toHoursPart(), "h");
        }
        if (duration.toHours() > 0) {
            return pair(duration.toHours(), "h", duration.toMinutesPart(), "min");
        }
        if (duration.toMinutes() > 0) {
            return pair(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
        }
        return duration.toSeconds() > 0 || duration.isZero()
                ? duration.toSeconds() + " s"
                : Math.max(1, duration.toMillis()) + " ms";
    }

    private static String pair(long large, String largeUnit, int small, String smallUnit) {
        return small == 0 ? large + " " + largeUnit : large + " " + largeUnit + " " + small + " " + smallUnit;
    }
}

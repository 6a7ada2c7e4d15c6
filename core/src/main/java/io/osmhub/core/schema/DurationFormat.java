package io.osmhub.core.schema;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Durations in the hub's kinds and configuration: {@code 500ms}, {@code 10s}, {@code 1h30m}, {@code 90d}. */
public final class DurationFormat {
    /** Far above every limit; prevents sums of absurd texts from overflowing. */
    private static final long LONGEST_MILLIS = Duration.ofDays(365_000).toMillis();

    private DurationFormat() {}

    /** The duration; null if the text is invalid. The hub's kinds do not have days: CEL does not know them. */
    public static @Nullable Duration parse(String text) {
        return text.indexOf('d') < 0 ? parseWithDays(text) : null;
    }

    /** The duration of a text that may also have days, as in the hub's configuration; null if it is invalid. */
    public static @Nullable Duration parseWithDays(String text) {
        long millis = 0;
        int at = 0;
        while (at < text.length()) {
            int digits = at;
            long count = 0;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                count = Math.min(count * 10 + (text.charAt(at) - '0'), LONGEST_MILLIS);
                at++;
            }
            String rest = text.substring(at);
            if (at == digits || rest.isEmpty()) {
                return null;
            }
            Unit unit = Unit.startOf(rest);
            if (unit == null) {
                return null;
            }
            millis = Math.min(millis + Math.min(count, LONGEST_MILLIS / unit.millis) * unit.millis, LONGEST_MILLIS);
            at += unit.symbol.length();
        }
        return text.isEmpty() ? null : Duration.ofMillis(millis);
    }

    /** The duration of a valid text. */
    public static Duration parseOrThrow(String text) {
        Duration duration = parseWithDays(text);
        if (duration == null) {
            throw new IllegalArgumentException("not a duration: " + text);
        }
        return duration;
    }

    /** The shortest text of a duration, for example {@code 1h30m}. */
    public static String format(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toHours(), Unit.HOURS);
        append(text, duration.toMinutesPart(), Unit.MINUTES);
        append(text, duration.toSecondsPart(), Unit.SECONDS);
        append(text, duration.toMillisPart(), Unit.MILLISECONDS);
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long count, Unit unit) {
        if (count > 0) {
            text.append(count).append(unit.symbol);
        }
    }

    private enum Unit {
        // Before minutes, because "5ms" also matches five minutes.
        MILLISECONDS("ms", 1),
        SECONDS("s", 1_000),
        MINUTES("m", 60_000),
        HOURS("h", 3_600_000),
        DAYS("d", 86_400_000);

        private final String symbol;
        private final long millis;

        Unit(String symbol, long millis) {
            this.symbol = symbol;
            this.millis = millis;
        }

        static @Nullable Unit startOf(String text) {
            for (Unit unit : values()) {
                if (text.startsWith(unit.symbol)) {
                    return unit;
                }
            }
            return null;
        }
    }
}

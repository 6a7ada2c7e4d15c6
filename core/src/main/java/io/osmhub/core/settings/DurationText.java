package io.osmhub.core.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Durations of the settings: whole numbers with {@code ms}, {@code s}, {@code m} or {@code h}, such as {@code 1h30m}. */
final class DurationText {
    private static final int MAX_DIGITS = 9;

    private DurationText() {}

    /** The duration, null when the text is none. */
    static @Nullable Duration parse(String text) {
        Duration total = Duration.ZERO;
        int at = 0;
        while (at < text.length()) {
            int start = at;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                at++;
            }
            int unitStart = at;
            while (at < text.length() && text.charAt(at) >= 'a' && text.charAt(at) <= 'z') {
                at++;
            }
            if (unitStart == start || unitStart - start > MAX_DIGITS || at == unitStart) {
                return null;
            }
            long number = Long.parseLong(text.substring(start, unitStart));
            Duration part =
                    switch (text.substring(unitStart, at)) {
                        case "ms" -> Duration.ofMillis(number);
                        case "s" -> Duration.ofSeconds(number);
                        case "m" -> Duration.ofMinutes(number);
                        case "h" -> Duration.ofHours(number);
                        default -> Duration.ofNanos(-1);
                    };
            if (part.isNegative()) {
                return null;
            }
            total = total.plus(part);
        }
        return text.isEmpty() ? null : total;
    }

    static String of(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toHours(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long number, String unit) {
        if (number > 0) {
            text.append(number).append(unit);
        }
    }
}

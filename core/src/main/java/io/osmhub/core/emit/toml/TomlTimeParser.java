package io.osmhub.core.emit.toml;

import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.time.GoTime;
import io.osmhub.core.golang.time.GoZone;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times. A time without a zone is kept as a {@code time.Time} in a zone whose name says what is missing; the encoder
 * knows these names again.
 */
final class TomlTimeParser {
    private static final int NO_OFFSET = Integer.MIN_VALUE;

    private static final String DATE_TIME = "2006-01-02T15:04:05.999999999";

    private TomlTimeParser() {}

    /** How a time is written: one that was read without a zone is written without. */
    static String text(GoTime time) {
        return switch (time.zone().name()) {
            case "datetime-local" -> time.format(DATE_TIME);
            case "date-local" -> time.format(DATE_TIME.substring(0, 10));
            case "time-local" -> time.format(DATE_TIME.substring(11));
            default -> time.format(GoTime.RFC_3339_NANO);
        };
    }

    /** Reads a text with {@code T} and {@code Z} in upper case; null if it is not a time. */
    static @Nullable GoValue parse(String text) {
        boolean hasDate = matches(text, 0, "0000-00-00");
        if (hasDate && text.length() == 10) {
            return value(text, "date-local", 0, 0, 0, 0, 0);
        }
        int start = hasDate ? 11 : 0;
        if ((hasDate && text.charAt(10) != 'T') || !matches(text, start, "00:00")) {
            return null;
        }
        int i = start + 5;
        int second = 0;
        int nanos = 0;
        if (matches(text, i, ":00")) {
            second = number(text, i + 1);
            i += 3;
            if (matches(text, i, ".0")) {
                int digits = 0;
                for (i++; i < text.length() && TomlScalarParser.isDigit(text.charAt(i)); i++, digits++) {
                    nanos = digits < 9 ? nanos * 10 + text.charAt(i) - '0' : nanos;
                }
                for (; digits < 9; digits++) {
                    nanos *= 10;
                }
            }
        }
        int offset = offset(text, i);
        boolean local = i == text.length();
        if ((!local && offset == NO_OFFSET) || (!hasDate && !local)) {
            return null;
        }
        String zone = local ? hasDate ? "datetime-local" : "time-local" : "";
        return value(
                hasDate ? text : "0000-01-01",
                zone,
                number(text, start),
                number(text, start + 3),
                second,
                nanos,
                local ? 0 : offset);
    }

    /** Whether digits stand where the pattern has zeros, and the pattern's other characters where they are. */
    private static boolean matches(String text, int start, String pattern) {
        if (start + pattern.length() > text.length()) {
            return false;
        }
        for (int i = 0; i < pattern.length(); i++) {
            char c = text.charAt(start + i);
            if (pattern.charAt(i) == '0' ? !TomlScalarParser.isDigit(c) : c != pattern.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int i) {
        return (text.charAt(i) - '0') * 10 + text.charAt(i + 1) - '0';
    }

    private static int offset(String text, int i) {
        if (i + 1 == text.length() && text.charAt(i) == 'Z') {
            return 0;
        }
        if (i + 6 != text.length() || !(matches(text, i, "+00:00") || matches(text, i, "-00:00"))) {
            return NO_OFFSET;
        }
        int hours = number(text, i + 1);
        int minutes = number(text, i + 4);
        if (hours > 24 || minutes > 60) {
            return NO_OFFSET;
        }
        int seconds = hours * 3600 + minutes * 60;
        return text.charAt(i) == '-' ? -seconds : seconds;
    }

    private static @Nullable GoValue value(
            String date, String zone, int hour, int minute, int second, int nanos, int offset) {
        try {
            int year = number(date, 0) * 100 + number(date, 2);
            LocalDateTime local = LocalDateTime.of(year, number(date, 5), number(date, 8), hour, minute, second, nanos);
            GoZone place = zone.isEmpty() && offset == 0 ? GoZone.UTC : new GoZone.Fixed(zone, offset);
            return new GoTime(local.toEpochSecond(ZoneOffset.UTC) - offset, nanos, place).value();
        } catch (DateTimeException outOfRange) {
            return null;
        }
    }
}

package io.osmhub.core.emit.yaml;

import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.time.GoTime;
import io.osmhub.core.golang.time.GoZone;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * A point in time as YAML writes it: a date; a date and a time after blanks; or a date and a time with a zone, joined by
 * {@code T} or {@code t}. Fields but the year may have one digit.
 *
 * @param offsetSeconds zone of the local time; 0 for UTC
 */
record YamlTimestamp(LocalDateTime local, int offsetSeconds) {
    /** The {@code time.Time}. */
    GoValue toValue() {
        GoZone zone = offsetSeconds == 0 ? GoZone.UTC : new GoZone.Fixed("", offsetSeconds);
        Instant instant = local.minusSeconds(offsetSeconds).toInstant(ZoneOffset.UTC);
        return new GoTime(instant.getEpochSecond(), instant.getNano(), zone).value();
    }

    /** Null for what is none. */
    static @Nullable YamlTimestamp parse(String text) {
        return new Reader(text).timestamp();
    }

    /** A position in a text. Once something does not fit, all further answers are of no worth. */
    private static final class Reader {
        private final String text;
        private int position;
        private boolean failed;

        Reader(String text) {
            this.text = text;
        }

        @Nullable YamlTimestamp timestamp() {
            int year = number(4, 4);
            expect('-');
            int month = number(1, 2);
            expect('-');
            int day = number(1, 2);
            if (failed) {
                return null;
            }
            if (atEnd()) {
                return dateTime(year, month, day, 0, 0, 0, 0, 0);
            }
            boolean zoned = peek() == 'T' || peek() == 't';
            if (zoned) {
                position++;
            } else {
                expect(' ');
                while (peek() == ' ') {
                    position++;
                }
            }
            int hour = number(1, 2);
            expect(':');
            int minute = number(1, 2);
            expect(':');
            int second = number(1, 2);
            int nanos = fraction();
            int offset = zoned ? zone() : 0;
            return failed || !atEnd() ? null : dateTime(year, month, day, hour, minute, second, nanos, offset);
        }

        private static @Nullable YamlTimestamp dateTime(
                int year, int month, int day, int hour, int minute, int second, int nanos, int offset) {
            try {
                return new YamlTimestamp(LocalDateTime.of(year, month, day, hour, minute, second, nanos), offset);
            } catch (DateTimeException outOfRange) {
                return null;
            }
        }

        private boolean atEnd() {
            return position >= text.length();
        }

        private char peek() {
            return atEnd() ? 0 : text.charAt(position);
        }

        private void expect(char c) {
            failed |= peek() != c;
            position++;
        }

        private boolean isDigitAt(int i) {
            return i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }

        private int number(int least, int most) {
            int number = 0;
            int digits = 0;
            while (digits < most && isDigitAt(position)) {
                number = number * 10 + (text.charAt(position++) - '0');
                digits++;
            }
            failed |= digits < least;
            return number;
        }

        /** Nanoseconds; a point or a comma without a digit after it is not a fraction. Digits after the ninth are dropped. */
        private int fraction() {
            if ((peek() != '.' && peek() != ',') || !isDigitAt(position + 1)) {
                return 0;
            }
            position++;
            int nanos = 0;
            for (int i = 0; i < 9; i++) {
                nanos = nanos * 10 + (isDigitAt(position) ? text.charAt(position++) - '0' : 0);
            }
            while (isDigitAt(position)) {
                position++;
            }
            return nanos;
        }

        private int zone() {
            if (peek() == 'Z') {
                position++;
                return 0;
            }
            int sign = peek() == '-' ? -1 : 1;
            failed |= peek() != '-' && peek() != '+';
            position++;
            int hours = number(2, 2);
            expect(':');
            int minutes = number(2, 2);
            failed |= hours > 24 || minutes > 60;
            return sign * (hours * 3600 + minutes * 60);
        }
    }
}

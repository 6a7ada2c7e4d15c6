package io.osmhub.api.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Times for display: elapsed, remaining and clock; always UTC. The page's script produces the same texts. */
final class TimeFormats {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter YEAR = DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ENGLISH);

    private TimeFormats() {}

    /** Parses a timestamp of the contract. */
    static Optional<Instant> read(@Nullable Object value) {
        if (value == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(value.toString()));
        } catch (DateTimeParseException notOne) {
            return Optional.empty();
        }
    }

    /** "38 min", "1 h 28 min" up to a day, then "3 Nov 14:20". A future time is "0 s". */
    static String age(Instant then, Instant now) {
        Duration past = Duration.between(then, now);
        return past.compareTo(Duration.ofDays(1)) < 0 ? span(past.isNegative() ? Duration.ZERO : past) : day(then, now);
    }

    /** "no answer for 12 s", then "no answer since 3 Nov 14:20". */
    static String noAnswer(Instant then, Instant now) {
        boolean today = Duration.between(then, now).compareTo(Duration.ofDays(1)) < 0;
        return "no answer " + (today ? "for " : "since ") + age(then, now);
    }

    /** "for 38 min", "for 3 d". A future time is "for 0 s". */
    static String lasting(Instant then, Instant now) {
        return "for " + span(then.isAfter(now) ? Duration.ZERO : Duration.between(then, now));
    }

    /** "in 47 min", "in 61 d"; "ran out" if it is past. */
    static String left(Instant then, Instant now) {
        Duration left = Duration.between(now, then);
        return left.isNegative() || left.isZero() ? "ran out" : "in " + span(left);
    }

    /** "10:02:11" today, then "3 Nov 14:20", then "3 Nov 2025". */
    static String clock(Instant then, Instant now) {
        boolean today = then.atOffset(ZoneOffset.UTC)
                .toLocalDate()
                .equals(now.atOffset(ZoneOffset.UTC).toLocalDate());
        return today ? CLOCK.format(then.atOffset(ZoneOffset.UTC)) : day(then, now);
    }

    private static String day(Instant then, Instant now) {
        boolean near = Duration.between(then, now).abs().compareTo(Duration.ofDays(300)) < 0;
        return (near ? DAY : YEAR).format(then.atOffset(ZoneOffset.UTC));
    }

    /** "5 s", "38 min", "1 h 28 min", "3 d". */
    static String span(Duration span) {
        long seconds = span.toSeconds();
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + " min";
        }
        if (seconds < 86_400) {
            long minutes = seconds % 3_600 / 60;
            return seconds / 3_600 + " h" + (minutes == 0 ? "" : " " + minutes + " min");
        }
        return seconds / 86_400 + " d";
    }
}

package io.osmhub.deploy.view;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Formats times in the user's zone.
 *
 * @param now determines {@code today}
 */
public record TimestampFormatter(ZoneId zone, Instant now) {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ENGLISH);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("dd MMM HH:mm:ss", Locale.ENGLISH);
    private static final DateTimeFormatter YEAR = DateTimeFormatter.ofPattern("dd MMM yyyy HH:mm", Locale.ENGLISH);

    /** In UTC or the user's zone. */
    public static TimestampFormatter now(boolean utc) {
        return new TimestampFormatter(utc ? ZoneOffset.UTC : ZoneId.systemDefault(), Instant.now());
    }

    /** {@code today 10:02:11}, {@code 11 Nov 16:31:09}, {@code 11 Nov 2024 16:31}. */
    String format(Instant moment) {
        ZonedDateTime local = moment.atZone(zone);
        LocalDate today = now.atZone(zone).toLocalDate();
        if (local.toLocalDate().equals(today)) {
            return "today " + CLOCK.format(local);
        }
        return local.getYear() == today.getYear() ? DAY.format(local) : YEAR.format(local);
    }

    /** {@code 10:02:11}, prefixed with the day if it is not today. */
    String formatTime(Instant moment) {
        String said = format(moment);
        return said.startsWith("today ") ? said.substring("today ".length()) : said;
    }
}

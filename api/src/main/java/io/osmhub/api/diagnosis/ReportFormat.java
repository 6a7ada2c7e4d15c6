package io.osmhub.api.diagnosis;

import io.osmhub.core.problem.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats numbers and times with a single unit. */
final class ReportFormat {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ENGLISH);
    private static final int SHORT_HASH = 8;

    private ReportFormat() {}

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

    static String age(Instant since, Instant now) {
        return age(Duration.between(since, now));
    }

    /** {@code 91 min}; token validity is shown in minutes. */
    static String minutes(Duration left) {
        return Math.max(0, left.toMinutes()) + " min";
    }

    /** {@code 11:09} within a day, else with the day; UTC. */
    static String clock(Instant time, Instant now) {
        boolean near = Duration.between(time, now).abs().compareTo(Duration.ofHours(24)) < 0;
        return (near ? CLOCK : DAY).format(time.atOffset(ZoneOffset.UTC));
    }

    static String hash(String hash) {
        return hash.length() <= SHORT_HASH ? hash : hash.substring(0, SHORT_HASH);
    }

    /** {@code credentials rejected}. */
    static String words(Reason reason) {
        StringBuilder words = new StringBuilder();
        for (char c : reason.wireName().toCharArray()) {
            boolean starts = Character.isUpperCase(c)
                    && !words.isEmpty()
                    && Character.isLowerCase(words.charAt(words.length() - 1));
            words.append(starts ? " " : "").append(c);
        }
        return words.toString().toLowerCase(Locale.ROOT);
    }

    static String machines(int count) {
        return count + (count == 1 ? " machine" : " machines");
    }
}

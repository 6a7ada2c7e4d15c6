package io.osmhub.core.schema;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Durations in the hub's kinds and configuration: {@code 500ms}, {@code 10s}, {@code 1h30m}, {@code 90d}. */
public final class DurationFormat {
    private static final Pattern PART = Pattern.compile("([0-9]+)(ms|[smhd])");
    private static final Pattern PARTS = Pattern.compile("(?:[0-9]+(?:ms|[smhd]))+");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    /** Far above every limit; prevents sums of absurd texts from overflowing. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    /** Of digits; a longer number counts as the largest one. */
    private static final int LONGEST_NUMBER = 9;

    private DurationFormat() {}

    /** The duration; null if the text is invalid. The hub's kinds do not have days: CEL does not know them. */
    public static @Nullable Duration parse(String text) {
        return text.indexOf('d') < 0 ? parseWithDays(text) : null;
    }

    /** The duration of a text that may also have days, as in the hub's configuration; null if it is invalid. */
    public static @Nullable Duration parseWithDays(String text) {
        if (!PARTS.matches(text)) {
            return null;
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        while (sum.compareTo(LONGEST) < 0 && part.find()) {
            String digits = part.group(1).replaceFirst("^0+(?=.)", "");
            long count = Long.parseLong(digits.length() > LONGEST_NUMBER ? "9".repeat(LONGEST_NUMBER) : digits);
            sum = sum.plusMillis(count * Objects.requireNonNull(MILLIS.get(part.group(2))));
        }
        return sum;
    }

    /** The duration of a valid text. */
    public static Duration parseOrThrow(String text) {
        Duration duration = parseWithDays(text);
        if (duration == null) {
            throw new IllegalArgumentException("not a duration: " + text);
        }
        return duration;
    }

    /** For messages, for example {@code 1h30m} or {@code 0.5s}. */
    public static String format(Duration duration) {
        return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }
}

package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimeFormatsTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:40:00Z");

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T10:39:18Z, 42 s",
        "2026-11-21T10:02:00Z, 38 min",
        "2026-11-21T09:12:00Z, 1 h 28 min",
        "2026-11-21T09:40:00Z, 1 h",
        "2026-11-20T10:40:01Z, 23 h 59 min",
        "2026-11-03T14:20:40Z, 3 Nov 14:20",
        "2025-11-03T14:20:40Z, 3 Nov 2025",
        "2026-11-21T10:41:00Z, 0 s"
    })
    void tellsHowLongAgo(Instant then, String words) {
        assertThat(TimeFormats.age(then, NOW)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T11:27:00Z, in 47 min",
        "2027-01-21T10:40:00Z, in 61 d",
        "2026-11-21T10:40:00Z, ran out",
        "2026-11-21T10:39:00Z, ran out"
    })
    void tellsHowLongStill(Instant then, String words) {
        assertThat(TimeFormats.left(then, NOW)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({"2026-11-21T10:39:51Z, no answer for 9 s", "2026-11-03T14:20:40Z, no answer since 3 Nov 14:20"})
    void tellsForHowLongAClusterHasNotAnswered(Instant then, String words) {
        assertThat(TimeFormats.noAnswer(then, NOW)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({"2026-11-21T10:02:00Z, for 38 min", "2026-11-18T10:40:00Z, for 3 d", "2026-11-21T10:41:00Z, for 0 s"})
    void tellsHowLongAStateLasts(Instant then, String words) {
        assertThat(TimeFormats.lasting(then, NOW)).isEqualTo(words);
    }

    @Test
    void readsOnlyWhatIsATimestamp() {
        assertThat(TimeFormats.read("2026-11-21T10:40:00Z")).contains(NOW);
        assertThat(TimeFormats.read("<script>")).isEmpty();
        assertThat(TimeFormats.read(null)).isEmpty();
    }
}

package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionMessagesTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 s",
        "PT0.6S, 1 s",
        "PT59S, 59 s",
        "PT60S, 1 min",
        "PT3M20S, 3 min 20 s",
        "PT1H, 1 h",
        "PT26H5M, 1 d 2 h",
        "PT-5S, 0 s"
    })
    void aDurationHasItsTwoLargestUnits(Duration duration, String words) {
        assertThat(ConnectionMessages.duration(duration)).isEqualTo(words);
    }
}

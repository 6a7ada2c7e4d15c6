package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectBackoffTest {
    private final ConnectBackoff backoff = new ConnectBackoff(new Random(1));

    @ParameterizedTest
    @CsvSource({
        "NO_CONNECTION, 1, 8",
        "NOT_RESPONDING, 1, 8",
        "NOT_RESOLVED, 1, 30",
        "ANSWERS_ERRORS, 1, 300",
        "TLS, 30, 300",
        "ENDPOINT_REFUSED, 30, 300",
        "OTHER_CLUSTER, 30, 300",
        "UNAUTHORIZED, 270, 300"
    })
    void waitsBetweenItsLimitsAndFindsAllOfThem(Kind kind, int shortest, int longest) {
        Set<Long> waits = new HashSet<>();
        for (int failures = 1; failures < 2000; failures++) {
            Duration wait = backoff.delayAfter(ConnectFailure.of(kind, "x"), failures);
            assertThat(wait).isBetween(Duration.ofSeconds(shortest), Duration.ofSeconds(longest));
            waits.add(wait.toSeconds());
        }
        assertThat(waits).contains((long) shortest, longest - 1L);
    }

    @Test
    void theBoundDoublesFromTwoSeconds() {
        for (int i = 0; i < 1000; i++) {
            assertThat(backoff.delayAfter(ConnectFailure.of(Kind.ANSWERS_ERRORS, "x"), 1))
                    .isLessThan(Duration.ofSeconds(2));
            assertThat(backoff.delayAfter(ConnectFailure.of(Kind.ANSWERS_ERRORS, "x"), 4))
                    .isLessThan(Duration.ofSeconds(16));
        }
    }

    @Test
    void theFirstErrorAfterAnOutageWaitsAsIfItWereTheFirstFailure() {
        for (int i = 0; i < 1000; i++) {
            for (int failures = 1; failures <= 20; failures++) {
                backoff.delayAfter(ConnectFailure.of(Kind.NO_CONNECTION, "x"), failures);
            }
            assertThat(backoff.delayAfter(ConnectFailure.of(Kind.ANSWERS_ERRORS, "x"), 21))
                    .isLessThan(Duration.ofSeconds(2));
            assertThat(backoff.delayAfter(ConnectFailure.of(Kind.ANSWERS_ERRORS, "x"), 22))
                    .isLessThan(Duration.ofSeconds(4));
        }
    }

    @Test
    void whatTheServerAskedForIsTheLeast() {
        ApiFailure asked = new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 503, "", "x", Duration.ofMinutes(20));

        assertThat(backoff.delayAfter(ConnectFailure.of(asked, null), 1)).isEqualTo(Duration.ofMinutes(20));
    }
}

package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestHealthTest {
    private final VirtualTime time = new VirtualTime();
    private final RequestHealth health = new RequestHealth(time);

    private static ApiFailure answered(int code) {
        return new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, code, "", "x", null);
    }

    private void requests(int good, int bad, int code) {
        for (int i = 0; i < good; i++) {
            health.recordResult(null);
        }
        for (int i = 0; i < bad; i++) {
            health.recordResult(answered(code));
        }
    }

    @Test
    void aFifthIsTooMuch() {
        requests(81, 19, 429);
        assertThat(health.isDegraded()).isFalse();

        requests(0, 2, 503);

        assertThat(health.isDegraded()).isTrue();
        assertThat(health.lastMinute()).isEqualTo(new RequestHealth.MinuteStatistics(102, 21, "429, 503", "503: x"));
    }

    @Test
    void refusalsThatAreTheClientsFaultDoNotCount() {
        requests(0, 100, 404);
        requests(0, 100, 409);

        assertThat(health.isDegraded()).isFalse();
    }

    @Test
    void aHandfulOfRequestsSaysNothing() {
        requests(0, 9, 500);
        assertThat(health.isDegraded()).isFalse();
        requests(0, 1, 500);
        assertThat(health.isDegraded()).isTrue();
    }

    @Test
    void staysDegradedBetweenBothLimits() {
        requests(50, 50, 500);
        requests(400, 0, 500);
        assertThat(health.isDegraded()).isTrue();

        requests(600, 0, 500);

        assertThat(health.isDegraded()).isFalse();
    }

    @Test
    void aMinuteOfSilenceForgets() {
        requests(0, 20, 500);
        time.advance(Duration.ofSeconds(49));
        assertThat(health.refresh()).isFalse();

        time.advance(Duration.ofSeconds(12));

        assertThat(health.refresh()).isTrue();
        assertThat(health.isDegraded()).isFalse();
        assertThat(health.lastMinute().requests()).isZero();
    }
}

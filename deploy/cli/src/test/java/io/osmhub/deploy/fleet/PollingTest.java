package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PollingTest {
    @Test
    void returnsTheValueThatTheConditionSaw() {
        AtomicInteger reads = new AtomicInteger();

        assertThat(Polling.await(Instant.MAX, reads::incrementAndGet, value -> value == 2))
                .isEqualTo(2);
        assertThat(reads).hasValue(2);
    }

    @Test
    void readsOnceAfterTheEnd() {
        AtomicInteger reads = new AtomicInteger();

        assertThat(Polling.await(Instant.MIN, reads::incrementAndGet, value -> false))
                .isOne();
        assertThat(reads).hasValue(1);
    }
}

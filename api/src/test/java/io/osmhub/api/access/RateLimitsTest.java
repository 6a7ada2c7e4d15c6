package io.osmhub.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitsTest {
    private final AtomicLong now = new AtomicLong();
    private final RateLimits limits = new RateLimits(new RateLimits.Limit(600, 100), now::get);

    @Test
    void aBurstIsTakenAtOnceThenTenASecond() {
        for (int i = 0; i < 100; i++) {
            assertThat(limits.take("ann").allowed()).isTrue();
        }
        RateLimits.Verdict refused = limits.take("ann");
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(refused.left()).isEqualTo("\"caller\";r=0;t=10");
        assertThat(refused.policy()).isEqualTo("\"caller\";q=600;w=60");
        assertThat(limits.take("bob").allowed()).isTrue();

        now.addAndGet(Duration.ofMillis(1_050).toNanos());
        for (int i = 0; i < 10; i++) {
            assertThat(limits.take("ann").allowed()).isTrue();
        }
        assertThat(limits.take("ann").allowed()).isFalse();
    }

    @Test
    void anotherLimitHoldsAtOnce() {
        limits.limit(new RateLimits.Limit(60, 2));

        assertThat(limits.take("ann").allowed()).isTrue();
        assertThat(limits.take("ann").allowed()).isTrue();
        assertThat(limits.take("ann").allowed()).isFalse();
    }
}

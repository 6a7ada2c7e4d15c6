package io.osmhub.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CallerRateLimiterTest {
    private final AtomicLong now = new AtomicLong();
    private final CallerRateLimiter limits =
            new CallerRateLimiter(new CallerRateLimiter.CallerRateLimit(600, 100), now::get);

    @Test
    void aBurstIsTakenAtOnceThenTenASecond() {
        for (int i = 0; i < 100; i++) {
            assertThat(limits.tryAcquire("ann").allowed()).isTrue();
        }
        CallerRateLimiter.RateLimitDecision refused = limits.tryAcquire("ann");
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(refused.limitHeader()).isEqualTo("\"caller\";r=0;t=10");
        assertThat(refused.policyHeader()).isEqualTo("\"caller\";q=600;w=60");
        assertThat(limits.tryAcquire("bob").allowed()).isTrue();

        now.addAndGet(Duration.ofMillis(1_050).toNanos());
        for (int i = 0; i < 10; i++) {
            assertThat(limits.tryAcquire("ann").allowed()).isTrue();
        }
        assertThat(limits.tryAcquire("ann").allowed()).isFalse();
    }

    @Test
    void anotherLimitHoldsAtOnce() {
        limits.limit(new CallerRateLimiter.CallerRateLimit(60, 2));

        assertThat(limits.tryAcquire("ann").allowed()).isTrue();
        assertThat(limits.tryAcquire("ann").allowed()).isTrue();
        assertThat(limits.tryAcquire("ann").allowed()).isFalse();
    }
}

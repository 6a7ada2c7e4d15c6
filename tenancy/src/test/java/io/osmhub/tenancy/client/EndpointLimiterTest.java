package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndpointLimiterTest {
    private final EndpointLimiter budget = new EndpointLimiter();

    @Test
    void eachTenantHasSoManyEndpointsWithinTheWindow() {
        for (int i = 0; i < EndpointLimiter.LIMIT; i++) {
            assertThat(budget.tryUse("t1", "e" + i, i)).isTrue();
        }

        assertThat(budget.tryUse("t1", "other", 20)).isFalse();
        assertThat(budget.tryUse("t1", "e3", 20)).isTrue();
        assertThat(budget.tryUse("t2", "other", 20)).isTrue();
        assertThat(budget.tryUse("t1", "other", EndpointLimiter.WINDOW.toNanos()))
                .isTrue();
        assertThat(budget.tryUse("t1", "another", EndpointLimiter.WINDOW.toNanos()))
                .isFalse();
    }

    @Test
    void aTenantWithoutRecentEndpointsIsForgotten() {
        for (int i = 0; i < 100; i++) {
            budget.tryUse("t" + i, "e", 0);
        }

        budget.tryUse("last", "e", EndpointLimiter.WINDOW.toNanos());

        assertThat(budget.tenants()).isEqualTo(1);
    }
}

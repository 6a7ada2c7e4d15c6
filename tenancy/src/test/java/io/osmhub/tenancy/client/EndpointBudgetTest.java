package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndpointBudgetTest {
    private final EndpointBudget budget = new EndpointBudget();

    @Test
    void eachTenantHasSoManyEndpointsWithinTheWindow() {
        for (int i = 0; i < EndpointBudget.LIMIT; i++) {
            assertThat(budget.tryUse("t1", "e" + i, i)).isTrue();
        }

        assertThat(budget.tryUse("t1", "other", 20)).isFalse();
        assertThat(budget.tryUse("t1", "e3", 20)).isTrue();
        assertThat(budget.tryUse("t2", "other", 20)).isTrue();
        assertThat(budget.tryUse("t1", "other", EndpointBudget.WINDOW.toNanos()))
                .isTrue();
        assertThat(budget.tryUse("t1", "another", EndpointBudget.WINDOW.toNanos()))
                .isFalse();
    }

    @Test
    void aTenantWithoutRecentEndpointsIsForgotten() {
        for (int i = 0; i < 100; i++) {
            budget.tryUse("t" + i, "e", 0);
        }

        budget.tryUse("last", "e", EndpointBudget.WINDOW.toNanos());

        assertThat(budget.tenants()).isEqualTo(1);
    }
}

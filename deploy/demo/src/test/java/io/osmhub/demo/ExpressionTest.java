package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ExpressionTest {
    @Test
    void findsMetricsMatchersGroupingAndFunctions() {
        Expression expression = Expression.of(
                "sum by (a, le) (rate(m_total{x=~\"1|2\",y!=\"z\"}[5m])) / on(b) recorded:n > 14.4 * 0.01 and time() > 1");

        assertThat(expression.selectors())
                .isEqualTo(List.of(
                        new Expression.Selector("m_total", Map.of("x", Set.of("1", "2"), "y", Set.of("z"))),
                        new Expression.Selector("recorded:n", Map.of())));
        assertThat(expression.grouping()).containsExactly("a", "b", "le");
        assertThat(expression.functions()).containsExactly("rate", "sum", "time");
    }

    @Test
    void refusesMatchersThatItDoesNotUnderstand() {
        assertThatThrownBy(() -> Expression.of("m{x~\"1\"}")).hasMessageContaining("not understood");
    }
}

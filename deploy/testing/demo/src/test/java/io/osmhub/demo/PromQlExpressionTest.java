package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PromQlExpressionTest {
    @Test
    void findsMetricsMatchersGroupingAndFunctions() {
        PromQlExpression expression = PromQlExpression.of(
                "sum by (a, le) (rate(m_total{x=~\"1|2\",y!=\"z\"}[5m])) / on(b) recorded:n > 14.4 * 0.01 and time() > 1");

        assertThat(expression.selectors())
                .isEqualTo(List.of(
                        new PromQlExpression.Selector("m_total", Map.of("x", Set.of("1", "2"), "y", Set.of("z"))),
                        new PromQlExpression.Selector("recorded:n", Map.of())));
        assertThat(expression.grouping()).containsExactly("a", "b", "le");
        assertThat(expression.functions()).containsExactly("rate", "sum", "time");
    }

    @Test
    void refusesMatchersThatItDoesNotUnderstand() {
        assertThatThrownBy(() -> PromQlExpression.of("m{x~\"1\"}")).hasMessageContaining("not understood");
    }
}

package io.osmhub.core.lint;

import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A violated rule with its texts, from {@code lint-rules.tsv}.
 *
 * @param cure empty if the cause implies it
 */
public record LintRuleViolation(LintRule rule, LintSeverity severity, String what, String cure) {
    private static final Map<String, LintRuleViolation> TABLE = LintResource.rows("lint-rules.tsv").stream()
            .collect(Collectors.toUnmodifiableMap(cells -> cells[0], LintRuleViolation::read));

    private static LintRuleViolation read(String[] cells) {
        String rule = cells[0].split("\\.", 2)[0].replace('-', '_').toUpperCase(Locale.ROOT);
        LintSeverity severity = LintSeverity.valueOf(cells[1].toUpperCase(Locale.ROOT));
        return new LintRuleViolation(LintRule.valueOf(rule), severity, cells[2], cells[3]);
    }

    /**
     * @param id of the row: the rule and its case
     * @param values of the placeholders
     */
    static LintRuleViolation of(String id, Object... values) {
        LintRuleViolation row = Objects.requireNonNull(TABLE.get(id), id);
        return new LintRuleViolation(
                row.rule,
                row.severity,
                String.format(Locale.ROOT, row.what, values),
                String.format(Locale.ROOT, row.cure, values));
    }
}

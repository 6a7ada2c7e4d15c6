package io.osmhub.api.schema;

import java.util.List;

/**
 * All that the linter found, errors before warnings.
 *
 * @param combinations renderings that were made
 */
public record LintReport(int errors, int warnings, int combinations, List<Finding> findings) {
    public LintReport {
        findings = List.copyOf(findings);
    }
}

package io.osmhub.core.lint;

import java.util.List;

/**
 * What a check of one profile found, in the order of the file.
 *
 * @param renderings how many times the profile was rendered
 * @param matrix over what, for people: {@code ubuntu x aws, gce x 1.30 to 1.35}; empty when it was not rendered
 */
public record LintReport(String file, List<LintFinding> findings, int renderings, String matrix) {
    public LintReport {
        findings = List.copyOf(findings);
    }

    public long count(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}

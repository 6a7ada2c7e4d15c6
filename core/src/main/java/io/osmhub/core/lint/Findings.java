package io.osmhub.core.lint;

import io.osmhub.core.document.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects findings. The same one from many renderings counts once. */
final class Findings {
    private record Identity(String rule, Position position, String field, String what) {}

    private final Map<Identity, LintFinding> findings = new LinkedHashMap<>();

    void add(Severity severity, String rule, Position position, String field, String what, String cure) {
        findings.putIfAbsent(
                new Identity(rule, position, field, what),
                new LintFinding(severity, rule, position, field, what, cure));
    }

    void error(String rule, Position position, String field, String what, String cure) {
        add(Severity.ERROR, rule, position, field, what, cure);
    }

    void warning(String rule, Position position, String field, String what, String cure) {
        add(Severity.WARNING, rule, position, field, what, cure);
    }

    boolean hasError() {
        return findings.values().stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
    }

    /** All findings, in the order of the file. */
    List<LintFinding> inOrder() {
        List<LintFinding> sorted = new ArrayList<>(findings.values());
        sorted.sort(Comparator.comparingInt(
                        (LintFinding finding) -> finding.position().line())
                .thenComparingInt(finding -> finding.position().column()));
        return sorted;
    }
}

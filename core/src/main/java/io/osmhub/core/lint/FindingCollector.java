package io.osmhub.core.lint;

import io.osmhub.core.lint.LintFinding.Evidence;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.SourcePosition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects findings. Counts equal findings of many renderings once, with their number. */
final class FindingCollector {
    private record Identity(LintRule rule, String file, SourcePosition position, String field, String what) {}

    /** Findings of one profile; later ones are dropped. */
    private static final int MOST = 1_000;

    private static final int LONGEST_EXCERPT = 60;

    private final Map<Identity, LintFinding> findings = new LinkedHashMap<>();

    void add(LintFinding finding) {
        Identity identity =
                new Identity(finding.rule(), finding.file(), finding.position(), finding.field(), finding.what());
        if (isFull() && !findings.containsKey(identity)) {
            return;
        }
        findings.merge(identity, finding, (first, again) -> {
            Evidence seen = first.evidence();
            return seen == null || again.evidence() == null
                    ? first
                    : first.withEvidence(
                            new Evidence(seen.example(), seen.combinations() + 1, seen.line(), seen.text()));
        });
    }

    /** Adds a finding that is not about a line of a text. {@code evidence} is null if it needs no rendering. */
    void add(LintRuleViolation violation, SourcePosition position, String field, @Nullable Evidence evidence) {
        add(new LintFinding(violation, position, field, SourcePosition.NONE, evidence));
    }

    /** Whether no other finding is listed, so that searching for more is of no use. */
    boolean isFull() {
        return findings.size() >= MOST;
    }

    /** Drops the findings that another collector has too. */
    void removeAll(FindingCollector others) {
        findings.keySet().removeAll(others.findings.keySet());
    }

    /** Whether one of these rules has a finding at or below a field. */
    boolean hasBelow(String field, Set<LintRule> rules) {
        return findings.keySet().stream()
                .anyMatch(identity -> rules.contains(identity.rule())
                        && identity.field().startsWith(field)
                        && (identity.field().length() == field.length()
                                || ".[ ".indexOf(identity.field().charAt(field.length())) >= 0));
    }

    /** All findings up to the limit, in the order of each file. */
    List<LintFinding> inOrder() {
        List<LintFinding> sorted = new ArrayList<>(findings.values());
        sorted.sort(Comparator.comparing(LintFinding::file)
                .thenComparingInt(finding -> finding.position().line())
                .thenComparingInt(finding -> finding.position().column()));
        if (isFull()) {
            LintFinding last = sorted.getLast();
            String what = "at least " + MOST + " findings; others are not listed";
            LintRuleViolation violation =
                    new LintRuleViolation(last.rule(), LintSeverity.WARNING, what, "correct these first");
            sorted.add(new LintFinding(violation, last.position(), "", SourcePosition.NONE, null));
        }
        return sorted;
    }

    /** Shortens a quotation in a message. */
    static String excerpt(String text) {
        String clean = MessageFormatter.quote(text);
        return clean.codePointCount(0, clean.length()) <= LONGEST_EXCERPT
                ? clean
                : clean.substring(0, clean.offsetByCodePoints(0, LONGEST_EXCERPT)) + "...";
    }
}

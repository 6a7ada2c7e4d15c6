package io.osmhub.core.lint;

import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.problem.MessageFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects findings. Counts equal findings of many renderings once, with their number. */
final class FindingCollector {
    private record Identity(LintRule rule, SourcePosition position, String field, String what) {}

    /** Findings of one profile; later ones are dropped. */
    private static final int MOST = 1_000;

    private final Map<Identity, LintFinding> findings = new LinkedHashMap<>();

    void add(LintFinding finding) {
        Identity identity = new Identity(finding.rule(), finding.position(), finding.field(), finding.what());
        if (isFull() && !findings.containsKey(identity)) {
            return;
        }
        findings.merge(identity, finding, (first, again) -> {
            LintFinding.Evidence evidence = first.evidence();
            return evidence == null || again.evidence() == null ? first : first.withEvidence(evidence.once());
        });
    }

    /** Whether no other finding is listed, so that searching for more is of no use. */
    boolean isFull() {
        return findings.size() >= MOST;
    }

    void error(LintRule rule, SourcePosition position, String field, String what, String cure) {
        add(new LintFinding(LintSeverity.ERROR, rule, position, field, what, cure));
    }

    void warning(LintRule rule, SourcePosition position, String field, String what, String cure) {
        add(new LintFinding(LintSeverity.WARNING, rule, position, field, what, cure));
    }

    void info(LintRule rule, SourcePosition position, String field, String what, String cure) {
        add(new LintFinding(LintSeverity.INFO, rule, position, field, what, cure));
    }

    boolean has(LintRule first, LintRule... more) {
        Set<LintRule> rules = EnumSet.of(first, more);
        return findings.keySet().stream().anyMatch(identity -> rules.contains(identity.rule()));
    }

    /** Whether one of these rules has a finding at or below a field. */
    boolean hasBelow(String field, Set<LintRule> rules) {
        return findings.keySet().stream()
                .anyMatch(identity -> rules.contains(identity.rule())
                        && identity.field().startsWith(field)
                        && (identity.field().length() == field.length()
                                || ".[ ".indexOf(identity.field().charAt(field.length())) >= 0));
    }

    /** All findings up to the limit, in the order of the file. */
    List<LintFinding> inOrder() {
        List<LintFinding> sorted = new ArrayList<>(findings.values());
        sorted.sort(Comparator.comparingInt(
                        (LintFinding finding) -> finding.position().line())
                .thenComparingInt(finding -> finding.position().column()));
        if (isFull()) {
            sorted.add(new LintFinding(
                    LintSeverity.WARNING,
                    sorted.getLast().rule(),
                    sorted.getLast().position(),
                    "",
                    "at least " + MOST + " findings; others are not listed",
                    "correct these first"));
        }
        return sorted;
    }

    /** Shortens quotations in messages. */
    static final class Excerpt {
        private static final int LONGEST = 60;

        static String of(String text) {
            String clean = MessageFormatter.quote(text);
            return clean.codePointCount(0, clean.length()) <= LONGEST
                    ? clean
                    : clean.substring(0, clean.offsetByCodePoints(0, LONGEST)) + "...";
        }
    }
}

package io.osmhub.core.lint;

import io.osmhub.core.document.Position;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a profile.
 *
 * @param position in the file; {@link Position#NONE} when it is about the whole
 * @param field path in the profile, with the file's path or unit's name in parentheses where there is one; empty when it is
 *     about the document
 * @param inContent the same place counted in the text of the field; {@link Position#NONE} when it is not about a text
 * @param what the cause
 * @param cure how to mend it; empty when the cause says it
 * @param evidence what was rendered; null when the finding needs no rendering
 */
public record LintFinding(
        Severity severity,
        Rule rule,
        Position position,
        String field,
        Position inContent,
        String what,
        String cure,
        @Nullable Evidence evidence) {
    /**
     * Where a finding shows when the profile is rendered.
     *
     * @param example one combination that shows it, for example {@code aws, Kubernetes 1.34, everything set}
     * @param combinations how many show it
     * @param line of the rendered text, from 1; 0 when it is not about a line
     * @param text that line, without blanks around it
     */
    public record Evidence(String example, int combinations, int line, String text) {
        static Evidence of(String example) {
            return new Evidence(example, 1, 0, "");
        }

        Evidence once() {
            return new Evidence(example, combinations + 1, line, text);
        }
    }

    /** A finding of the text alone, without rendering. */
    LintFinding(Severity severity, Rule rule, Position position, String field, String what, String cure) {
        this(severity, rule, position, field, Position.NONE, what, cure, null);
    }

    LintFinding seenIn(@Nullable Evidence newEvidence) {
        return new LintFinding(severity, rule, position, field, inContent, what, cure, newEvidence);
    }

    /** What and cure in one clause, with the field: {@code field: what; cure}. */
    public String message() {
        StringBuilder text = new StringBuilder(field);
        if (inContent.known()) {
            text.append(" line ").append(inContent.line());
        }
        text.append(text.isEmpty() ? "" : ": ").append(what);
        if (evidence != null && evidence.line() > 0) {
            text.append(", in line ").append(evidence.line()).append(" as rendered");
            text.append(evidence.text().isEmpty() ? "" : ": `" + evidence.text() + "`");
        }
        return cure.isEmpty() ? text.toString() : text.append("; ").append(cure).toString();
    }
}

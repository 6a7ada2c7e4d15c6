package io.osmhub.core.lint;

import io.osmhub.core.problem.SourcePosition;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a profile or an extension.
 *
 * @param file of an extension; empty for the file of the report
 * @param position in the file; {@link SourcePosition#NONE} for the whole file
 * @param field path in the object, with the file's path or unit's name in parentheses if any; empty for the document
 * @param inContent the same location in the text of the field; {@link SourcePosition#NONE} if it is not about a text
 * @param evidence what was rendered; null if the finding needs no rendering
 */
public record LintFinding(
        LintRuleViolation violation,
        String file,
        SourcePosition position,
        String field,
        SourcePosition inContent,
        @Nullable Evidence evidence) {
    /**
     * The rendering that shows a finding.
     *
     * @param example one such combination, for example {@code aws, Kubernetes 1.34, everything set}
     * @param combinations number of combinations that show it
     * @param line of the rendered text, from 1; 0 if it is not about a line
     * @param text that line, stripped
     */
    public record Evidence(String example, int combinations, int line, String text) {
        static Evidence of(String example) {
            return new Evidence(example, 1, 0, "");
        }
    }

    LintFinding(
            LintRuleViolation violation,
            SourcePosition position,
            String field,
            SourcePosition inContent,
            @Nullable Evidence evidence) {
        this(violation, "", position, field, inContent, evidence);
    }

    public LintSeverity severity() {
        return violation.severity();
    }

    public LintRule rule() {
        return violation.rule();
    }

    /** The cause. */
    public String what() {
        return violation.what();
    }

    /** How to fix it; empty if the cause implies it. */
    public String cure() {
        return violation.cure();
    }

    LintFinding withEvidence(Evidence other) {
        return new LintFinding(violation, file, position, field, inContent, other);
    }

    /** Cause and fix in one clause, with the field: {@code field: what; cure}. */
    public String message() {
        StringBuilder text = new StringBuilder(field);
        if (inContent.isKnown()) {
            text.append(" line ").append(inContent.line());
        }
        text.append(text.isEmpty() ? "" : ": ").append(what());
        if (evidence != null && evidence.line() > 0) {
            text.append(", in line ").append(evidence.line()).append(" as rendered");
            text.append(evidence.text().isEmpty() ? "" : ": `" + evidence.text() + "`");
        }
        return cure().isEmpty()
                ? text.toString()
                : text.append("; ").append(cure()).toString();
    }

    /** Severity of a finding. */
    public enum LintSeverity {
        /** The profile, or a machine that uses it, does not work. */
        ERROR,
        /** It works, but probably not as intended. */
        WARNING,
        /** Correct, but worth knowing. Not shown by the API or in status fields. */
        INFO;

        /** The value in the output of the command line. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The checks. What is true of a profile without findings of a rule is documented in docs/reference/lint.md. */
    public enum LintRule {
        DOCUMENT_SYNTAX,
        SCHEMA,
        NO_PROVIDER,
        DUPLICATE_PROVIDER,
        OPERATING_SYSTEM,
        MACHINE_CONTROLLER,
        PROVISIONING_UTILITY,
        KUBERNETES_VERSIONS,
        UNITS_NOT_SUPPORTED,
        DUPLICATE_UNIT,
        UNIT_NAME,
        UNIT_SYNTAX,
        UNIT_INSTALL,
        MISSING_CONTENT,
        FILE_PATH,
        DUPLICATE_PATH,
        FILE_PERMISSIONS,
        FILE_ENCODING,
        TEMPLATE_SYNTAX,
        TEMPLATE_EXECUTION,
        TEMPLATE_LIMIT,
        TEMPLATE_NOT_RENDERED,
        FUNCTION_REFUSED,
        FILE_CONTENT,
        REMOVED_OPTION,
        SHELL_SYNTAX,
        NEVER_FETCHED,
        USER_DATA,
        USER_DATA_SIZE,
        UNVERIFIED_DOWNLOAD,
        AIR_GAP,
        EXTENSION,
        RENDERING,
        MATRIX_CUT;

        /** The name for programs. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        @Override
        public String toString() {
            return wireName();
        }
    }
}

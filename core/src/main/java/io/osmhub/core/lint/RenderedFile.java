package io.osmhub.core.lint;

import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.lint.FindingCollector.Excerpt;
import io.osmhub.core.lint.LineOriginTracker.SourceLine;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.MatrixFilter.MatrixCombination;
import io.osmhub.core.lint.ProfileSourceMap.SourceFile;
import io.osmhub.core.lint.ProfileSourceMap.SourceText;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A file as rendered by one combination.
 *
 * @param origins the origin of each line; null if unknown. Computed only for findings
 */
record RenderedFile(
        ProfileSourceMap source,
        SourceFile file,
        String text,
        MatrixCombination point,
        Supplier<@Nullable List<@Nullable SourceLine>> origins) {
    /** Creates a finding about a line of this text, at the line's origin in the profile. */
    LintFinding createFinding(LintSeverity severity, LintRule rule, int line, int column, String what, String cure) {
        List<String> lines = text.lines().toList();
        // An error at the end of the text has the line after the last.
        int shown = Math.max(0, Math.min(line, lines.size()));
        String rendered = shown == 0 ? "" : lines.get(shown - 1);
        SourceLine origin = shown == 0 ? null : origin(shown);
        LintFinding.Evidence evidence = new LintFinding.Evidence(point.label(), 1, shown, Excerpt.of(rendered.strip()));
        if (origin == null) {
            return new LintFinding(
                    severity,
                    rule,
                    source.positionIn(file.textField(), 0, 0),
                    file.label(),
                    SourcePosition.NONE,
                    what,
                    cure,
                    evidence);
        }
        SourceText template = origin.text();
        int start = column(template.line(origin.number()), rendered, shown == line ? column : 0);
        SourcePosition position = source.positionIn(template.field(), origin.number(), start);
        SourcePosition inContent = new SourcePosition(origin.number(), start);
        return new LintFinding(severity, rule, position, template.label(), inContent, what, cure, evidence);
    }

    /** Creates a finding about a field of the file, for example {@code content.inline.encoding}. */
    LintFinding createFinding(LintSeverity severity, LintRule rule, String field, String what, String cure) {
        return new LintFinding(
                severity,
                rule,
                source.positionOf(file.field() + "." + field),
                file.label(),
                SourcePosition.NONE,
                what,
                cure,
                LintFinding.Evidence.of(point.label()));
    }

    private @Nullable SourceLine origin(int line) {
        List<@Nullable SourceLine> all = origins.get();
        return all == null || line > all.size() ? null : all.get(line - 1);
    }

    /** The column in the template's line: exact while both lines are equal, else the start of the line. */
    private static int column(String template, String rendered, int column) {
        int templateIndent = template.length() - template.stripLeading().length();
        int indent = rendered.length() - rendered.stripLeading().length();
        int offset = column - 1 - indent;
        boolean same = offset >= 0
                && template.regionMatches(
                        templateIndent, rendered, indent, Math.min(offset, rendered.length() - indent));
        return templateIndent + 1 + (same ? offset : 0);
    }
}

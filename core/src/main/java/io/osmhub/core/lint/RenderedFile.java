package io.osmhub.core.lint;

import io.osmhub.core.document.Position;
import io.osmhub.core.lint.LineMarks.SourceLine;
import io.osmhub.core.lint.ProfileSource.SourceFile;
import io.osmhub.core.lint.ProfileSource.SourceText;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A file as one combination rendered it.
 *
 * @param origins for each of its lines where it comes from; null when that cannot be told. Asked only when something is wrong
 */
record RenderedFile(
        ProfileSource source,
        SourceFile file,
        String text,
        MatrixPoint point,
        Supplier<@Nullable List<@Nullable SourceLine>> origins) {
    /** The finding about a line of this text, at the place in the profile that the line comes from. */
    LintFinding finding(Severity severity, Rule rule, int line, int column, String what, String cure) {
        List<String> lines = text.lines().toList();
        // A message about the end of the text names the line behind the last.
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
                    Position.NONE,
                    what,
                    cure,
                    evidence);
        }
        SourceText template = origin.text();
        int start = column(template.line(origin.number()), rendered, shown == line ? column : 0);
        Position position = source.positionIn(template.field(), origin.number(), start);
        Position inContent = new Position(origin.number(), start);
        return new LintFinding(severity, rule, position, template.label(), inContent, what, cure, evidence);
    }

    /** The finding about a field of the file, {@code content.inline.encoding} for example. */
    LintFinding finding(Severity severity, Rule rule, String field, String what, String cure) {
        return new LintFinding(
                severity,
                rule,
                source.at(file.field() + "." + field),
                file.label(),
                Position.NONE,
                what,
                cure,
                LintFinding.Evidence.of(point.label()));
    }

    private @Nullable SourceLine origin(int line) {
        List<@Nullable SourceLine> all = origins.get();
        return all == null || line > all.size() ? null : all.get(line - 1);
    }

    /** The column in the template's line: exact as far as both lines are the same, else where the line begins. */
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

package io.osmhub.deploy.config;

import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.SourcePosition;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * An error in the user's input.
 *
 * @param source a file, an option, or an object that was not read from a file
 * @param at position in the file
 * @param field path in the object; empty for the whole object
 * @param what the cause, one clause
 * @param cure how to fix it, one clause; empty if obvious from the cause
 */
public record InputError(String source, SourcePosition at, String field, String what, String cure) {
    private static final int WIDEST_COLUMN = 60;

    /** An error in a whole file or an option. */
    public InputError(String source, String field, String what, String cure) {
        this(source, SourcePosition.NONE, field, what, cure);
    }

    /** A finding in an object without its own file. */
    public static InputError of(String source, Problem finding) {
        SourcePosition at = finding.field().isEmpty() ? finding.position() : SourcePosition.NONE;
        return new InputError(source, at, field(finding), finding.cause(), finding.fix());
    }

    /** A finding in a document of a file. */
    public static InputError ofDocument(SourceDocument text, Problem finding) {
        return new InputError(
                text.source().toString(), text.positionOf(finding), field(finding), finding.cause(), finding.fix());
    }

    private String place() {
        if (!at.isKnown()) {
            return source;
        }
        return source + ":" + at.line() + (at.column() > 0 ? ":" + at.column() : "");
    }

    /** Adds the line within a template's own text, which its author uses. */
    private static String field(Problem finding) {
        boolean inText = finding.position().line() > 0 && !finding.field().isEmpty();
        return finding.field()
                + (inText
                        ? " line " + finding.position().line()
                                + (finding.position().column() > 0
                                        ? ":" + finding.position().column()
                                        : "")
                        : "");
    }

    /** One line per error, with aligned columns, sorted by position within each file. */
    public static List<String> formatLines(Collection<InputError> unsorted) {
        List<String> sources =
                unsorted.stream().map(InputError::source).distinct().toList();
        List<InputError> mistakes = unsorted.stream()
                .sorted(Comparator.comparingInt((InputError mistake) -> sources.indexOf(mistake.source))
                        .thenComparingInt(mistake -> mistake.at.line())
                        .thenComparingInt(mistake -> mistake.at.column()))
                .toList();
        int places = width(mistakes.stream().map(InputError::place).toList());
        int fields = width(mistakes.stream().map(InputError::field).toList());
        return mistakes.stream()
                .map(mistake -> "  " + column(mistake.place(), places) + column(mistake.field, fields)
                        + MessageFormatter.sanitize(mistake.what)
                        + (mistake.cure.isEmpty() ? "" : "; " + MessageFormatter.sanitize(mistake.cure)))
                .toList();
    }

    private static int width(List<String> texts) {
        return texts.stream()
                .mapToInt(text -> MessageFormatter.sanitize(text).length())
                .filter(width -> width <= WIDEST_COLUMN)
                .max()
                .orElse(0);
    }

    private static String column(String text, int width) {
        String clean = MessageFormatter.sanitize(text);
        return width == 0 && clean.isEmpty() ? "" : clean + " ".repeat(Math.max(0, width - clean.length()) + 2);
    }
}

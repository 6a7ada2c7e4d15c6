package io.osmhub.deploy.render;

import io.osmhub.core.document.Position;
import io.osmhub.core.document.SourceText;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * One thing that is wrong with what the user gave.
 *
 * @param source a file, an option, or an object that was not read from a file
 * @param at where in the file
 * @param field path in the object; empty when it is the whole
 * @param what the cause, one clause
 * @param cure how to mend it, one clause; empty when the cause says it
 */
public record Mistake(String source, Position at, String field, String what, String cure) {
    private static final int WIDEST_COLUMN = 60;

    /** A mistake about a file as a whole, or an option. */
    Mistake(String source, String field, String what, String cure) {
        this(source, Position.NONE, field, what, cure);
    }

    static Mistake of(String source, InputFiles.Unreadable reason) {
        return new Mistake(source, "", reason.what(), reason.cure());
    }

    /** A finding about something that was not read from a file of its own. */
    static Mistake of(String source, Finding finding) {
        Position at = finding.field().isEmpty() ? new Position(finding.line(), finding.column()) : Position.NONE;
        return new Mistake(source, at, field(finding), finding.what(), finding.cure());
    }

    /** A finding about a document of a file. */
    static Mistake in(SourceText text, Finding finding) {
        return new Mistake(text.document().source(), text.of(finding), field(finding), finding.what(), finding.cure());
    }

    private String place() {
        if (!at.known()) {
            return source;
        }
        return source + ":" + at.line() + (at.column() > 0 ? ":" + at.column() : "");
    }

    /** A template's line is counted in its own text too: that is how its author finds it. */
    private static String field(Finding finding) {
        boolean inText = finding.line() > 0 && !finding.field().isEmpty();
        return finding.field()
                + (inText ? " line " + finding.line() + (finding.column() > 0 ? ":" + finding.column() : "") : "");
    }

    /** One line for each mistake, place and field in columns; those of one file in the order of its lines. */
    public static List<String> lines(Collection<Mistake> unsorted) {
        List<String> sources = unsorted.stream().map(Mistake::source).distinct().toList();
        List<Mistake> mistakes = unsorted.stream()
                .sorted(Comparator.comparingInt((Mistake mistake) -> sources.indexOf(mistake.source))
                        .thenComparingInt(mistake -> mistake.at.line())
                        .thenComparingInt(mistake -> mistake.at.column()))
                .toList();
        int places = width(mistakes.stream().map(Mistake::place).toList());
        int fields = width(mistakes.stream().map(Mistake::field).toList());
        return mistakes.stream()
                .map(mistake -> "  " + column(mistake.place(), places) + column(mistake.field, fields)
                        + Message.clean(mistake.what)
                        + (mistake.cure.isEmpty() ? "" : "; " + Message.clean(mistake.cure)))
                .toList();
    }

    private static int width(List<String> texts) {
        return texts.stream()
                .mapToInt(text -> Message.clean(text).length())
                .filter(width -> width <= WIDEST_COLUMN)
                .max()
                .orElse(0);
    }

    private static String column(String text, int width) {
        String clean = Message.clean(text);
        return width == 0 && clean.isEmpty() ? "" : clean + " ".repeat(Math.max(0, width - clean.length()) + 2);
    }
}

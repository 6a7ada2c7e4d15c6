package io.osmhub.deploy.render;

import io.osmhub.core.document.Position;
import io.osmhub.core.document.SourceText;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import java.util.Collection;
import java.util.List;

/**
 * One thing that is wrong with what the user gave.
 *
 * @param place file with line and column, an option, or an object that was not read from a file
 * @param field path in the object; empty when it is the whole
 * @param what the cause, one clause
 * @param cure how to mend it, one clause; empty when the cause says it
 */
public record Mistake(String place, String field, String what, String cure) {
    private static final int WIDEST_COLUMN = 60;

    /** What messages call the whole input. */
    static Mistake of(String place, InputFiles.Unreadable reason) {
        return new Mistake(place, "", reason.what(), reason.cure());
    }

    /** A finding about something that was not read from a file of its own. */
    static Mistake of(String place, Finding finding) {
        Position at = finding.field().isEmpty() ? new Position(finding.line(), finding.column()) : Position.NONE;
        return new Mistake(place(place, at), field(finding), finding.what(), finding.cure());
    }

    /** A finding about a document of a file. */
    static Mistake in(SourceText source, Finding finding) {
        return new Mistake(place(source.document().source(), source.of(finding)), field(finding), finding.what(), finding.cure());
    }

    static String place(String file, Position at) {
        if (!at.known()) {
            return file;
        }
        return file + ":" + at.line() + (at.column() > 0 ? ":" + at.column() : "");
    }

    /** A template's line is counted in its own text too: that is how its author finds it. */
    private static String field(Finding finding) {
        boolean inText = finding.line() > 0 && !finding.field().isEmpty();
        return finding.field()
                + (inText ? " line " + finding.line() + (finding.column() > 0 ? ":" + finding.column() : "") : "");
    }

    /** One line for each mistake, place and field in columns. */
    public static List<String> lines(Collection<Mistake> mistakes) {
        int places = width(mistakes.stream().map(Mistake::place).toList());
        int fields = width(mistakes.stream().map(Mistake::field).toList());
        return mistakes.stream()
                .map(mistake -> "  " + column(mistake.place, places) + column(mistake.field, fields) + Message.clean(mistake.what)
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

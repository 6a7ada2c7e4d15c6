package io.osmhub.core.document;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.emit.NestingTracker;
import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Locates a YAML syntax error. The reader decides whether there is one; it reports a line, but not always the one with the
 * mistake. A second parser, stricter in other respects, also reports the column.
 */
public final class YamlErrorLocator {
    /** A line whose value is a block scalar. */
    private static final Pattern BLOCK = Pattern.compile("(:|^\\s*-)\\s+[|>][-+0-9]*\\s*(#.*)?$");

    private static final Pattern QUOTED = Pattern.compile("^\\s*(?:- +)*(?:[\\w./-]+: +)?([\"'])");

    private YamlErrorLocator() {}

    /**
     * @param line that the reader reports; 0 if none
     * @param message of the reader
     */
    public static SourcePosition locate(String text, int line, String message) {
        SourcePosition place = SourcePosition.NONE;
        try {
            int depth = 0;
            for (Event event : new Parse(LoadSettings.builder().build()).parseString(text)) {
                depth += event instanceof CollectionStartEvent ? 1 : event instanceof CollectionEndEvent ? -1 : 0;
                if (depth > NestingTracker.DOCUMENT_DEPTH) {
                    // This parser's time grows with the square of the depth.
                    break;
                }
            }
        } catch (MarkedYamlEngineException e) {
            Mark mark = e.getProblemMark().orElse(null);
            place = mark == null ? place : new SourcePosition(mark.getLine() + 1, mark.getColumn() + 1);
        } catch (YamlEngineException e) {
            place = SourcePosition.NONE;
        }
        SourcePosition quote = openQuote(text, Math.max(line, place.line()));
        if (quote.isKnown()) {
            return quote;
        }
        return place.isKnown() ? place : new SourcePosition(nearTab(text, line, message), 1);
    }

    /** The reader's line; for an error about a tab, the nearby line that is indented with one. */
    private static int nearTab(String text, int reported, String message) {
        int line = Math.max(1, reported);
        List<String> lines = text.lines().toList();
        for (int i = Math.max(0, line - 2); message.contains("tab") && i < Math.min(lines.size(), line + 2); i++) {
            if (indentation(lines.get(i)).contains("\t")) {
                return i + 1;
            }
        }
        return line;
    }

    /** A value whose quote is not closed in its line. The reader continues to the next quote and fails far below, in valid text. */
    private static SourcePosition openQuote(String text, int failure) {
        int number = 0;
        int block = -1;
        for (String line : text.lines().toList()) {
            number++;
            int indent = indentation(line).length();
            if (number >= failure || line.isBlank() || block >= 0 && indent > block) {
                continue;
            }
            block = BLOCK.matcher(line).find() ? indent : -1;
            Matcher quoted = QUOTED.matcher(line);
            if (quoted.find() && !endsQuote(line, quoted.start(1))) {
                return new SourcePosition(number, quoted.start(1) + 1);
            }
        }
        return SourcePosition.NONE;
    }

    private static boolean endsQuote(String line, int open) {
        char quote = line.charAt(open);
        for (int i = open + 1; i < line.length(); i++) {
            if (line.charAt(i) == '\\' && quote == '"') {
                i++;
            } else if (line.charAt(i) == quote) {
                return true;
            }
        }
        return false;
    }

    private static String indentation(String line) {
        return line.substring(0, line.length() - line.stripLeading().length());
    }

    static String cure(String text, SourcePosition place) {
        String line = text.lines().skip(place.line() - 1L).findFirst().orElse("");
        Matcher quoted = QUOTED.matcher(line);
        if (quoted.find() && !endsQuote(line, quoted.start(1))) {
            return "close the quote in the same line";
        }
        return indentation(line).contains("\t")
                ? "use spaces for indentation, not tabs"
                : "check indentation, colons and quotes";
    }
}

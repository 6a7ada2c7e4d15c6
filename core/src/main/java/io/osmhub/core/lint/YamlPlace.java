package io.osmhub.core.lint;

import io.osmhub.core.document.Position;
import io.osmhub.core.problem.Finding;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Where a text stops being YAML. Whether it does is decided by the reader that profiles are read with; it names a line, and not
 * always the one with the mistake. A second parser, which is stricter in other things, knows the column as well.
 */
final class YamlPlace {
    /** A line whose value is the block of text below it. */
    private static final Pattern BLOCK = Pattern.compile("(:|^\\s*-)\\s+[|>][-+0-9]*\\s*(#.*)?$");

    private static final Pattern QUOTED = Pattern.compile("^\\s*(?:- +)*(?:[\\w./-]+: +)?([\"'])");

    private YamlPlace() {}

    static Position of(String text, Finding finding) {
        if (finding.column() > 0) {
            return new Position(finding.line(), finding.column());
        }
        Position quote = openQuote(text, finding.line());
        if (quote.known()) {
            return quote;
        }
        Position place = Position.NONE;
        try {
            new Parse(LoadSettings.builder().build()).parseString(text).forEach(event -> {});
        } catch (MarkedYamlEngineException e) {
            Mark mark = e.getProblemMark().orElse(null);
            place = mark == null ? place : new Position(mark.getLine() + 1, mark.getColumn() + 1);
        } catch (YamlEngineException e) {
            place = Position.NONE;
        }
        return place.known() ? place : new Position(nearTab(text, finding), 1);
    }

    /** The reader's line; where it speaks of a tab, the line nearby that is indented with one. */
    private static int nearTab(String text, Finding finding) {
        int line = Math.max(1, finding.line());
        List<String> lines = text.lines().toList();
        for (int i = Math.max(0, line - 2);
                finding.what().contains("tab") && i < Math.min(lines.size(), line + 2);
                i++) {
            if (indentation(lines.get(i)).contains("\t")) {
                return i + 1;
            }
        }
        return line;
    }

    /**
     * A value that begins with a quote and does not end it in its line. The reader goes on to the next quote and fails far
     * below, on text that was right.
     */
    private static Position openQuote(String text, int failure) {
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
                return new Position(number, quoted.start(1) + 1);
            }
        }
        return Position.NONE;
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

    /** The reader's words without its line. */
    static String what(Finding finding) {
        return finding.what().replaceFirst("^yaml: (line \\d+: )?", "");
    }

    static String cure(String text, Position place) {
        String line = text.lines().skip(place.line() - 1L).findFirst().orElse("");
        Matcher quoted = QUOTED.matcher(line);
        if (quoted.find() && !endsQuote(line, quoted.start(1))) {
            return "end the quote in its line";
        }
        return indentation(line).contains("\t")
                ? "YAML takes no tab as indentation; use blanks"
                : "check indentation, colons and quotes";
    }
}

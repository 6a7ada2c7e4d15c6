package io.osmhub.core.document;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/** Locates the mistake behind a YAML syntax error, which the parser may report far below. */
public final class YamlErrorLocator {
    /** A line whose value is a block scalar. */
    private static final Pattern BLOCK = Pattern.compile("(:|^\\s*-)\\s+[|>][-+0-9]*\\s*(#.*)?$");

    private static final Pattern QUOTED = Pattern.compile("^\\s*(?:- +)*(?:[\\w./-]+: +)?([\"'])");

    private YamlErrorLocator() {}

    /** {@code reported} is where the parser fails. */
    public static SourcePosition locate(String text, SourcePosition reported) {
        SourcePosition quote = openQuote(text, reported.line());
        return quote.isKnown() ? quote : reported;
    }

    /** A value whose quote is not closed in its line. The parser continues to the next quote and fails far below, in valid text. */
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
        String line =
                text.lines().skip(Math.max(place.line(), 1) - 1L).findFirst().orElse("");
        Matcher quoted = QUOTED.matcher(line);
        if (quoted.find() && !endsQuote(line, quoted.start(1))) {
            return "close the quote in the same line";
        }
        return indentation(line).contains("\t")
                ? "use spaces for indentation, not tabs"
                : "check indentation, colons and quotes";
    }
}

package io.osmhub.core.userdata;

import org.jspecify.annotations.Nullable;

/**
 * How the Ignition conversion's reader (libyaml's rules) takes a text that stands in a literal block of automatic indentation, every line
 * behind LF moved in. Only texts that {@link YamlText#standsInBlock} does not vouch for need this look.
 *
 * <p>The first line that is not blank sets the indentation. A line with less ends the block, and what follows is read as YAML: harmless
 * if it is comment only, else the end of the config. Besides LF and CR LF also CR, U+0085, U+2028 and U+2029 end a line, and the line
 * behind them is not moved in.
 */
final class LiteralBlock {
    private LiteralBlock() {}

    /**
     * Why reading fails.
     *
     * @param line that the reader names, counted from the one that holds the block's header
     */
    record Fault(String what, int line) {}

    static boolean endsLine(CharSequence text, int at) {
        return switch (text.charAt(at)) {
            case '\n', 0x85, 0x2028, 0x2029 -> true;
            case '\r' -> at + 1 == text.length() || text.charAt(at + 1) != '\n';
            default -> false;
        };
    }

    /** Null when the reader gets over the text, whatever it makes of it. */
    static @Nullable Fault faultOf(String text, int depth) {
        int indentation = 0;
        boolean indentationKnown = false;
        boolean ended = false;
        int line = 1;
        for (int start = 0; start < text.length(); line++) {
            int first = skipSpaces(text, start);
            int end = lineEnd(text, first);
            int column = first - start + (start == 0 || text.charAt(start - 1) == '\n' ? depth : 0);
            boolean blank = first == end || first + 1 == end && text.charAt(first) == '\r';
            if (!blank && text.charAt(first) == '\t' && !ended && (!indentationKnown || column < indentation)) {
                return new Fault("found a tab character where an indentation space is expected", 0);
            }
            if (!indentationKnown) {
                indentation = Math.max(indentation, column);
                indentationKnown = !blank;
            }
            ended |= !blank && column < indentation;
            if (ended && !blank && text.charAt(first) != '#') {
                return column == 0
                        ? new Fault("could not find expected ':'", line)
                        : new Fault("did not find expected key", -1);
            }
            start = end + 1;
        }
        return null;
    }

    private static int skipSpaces(String text, int start) {
        int at = start;
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
        return at;
    }

    private static int lineEnd(String text, int start) {
        int at = start;
        while (at < text.length() && !endsLine(text, at)) {
            at++;
        }
        return at;
    }
}

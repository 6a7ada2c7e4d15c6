package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;
import static io.osmhub.core.template.sprig.Arguments.integer;
import static io.osmhub.core.template.sprig.Arguments.text;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Value;
import java.util.List;

/** Fits text into a width: line breaks and abbreviations. Widths count bytes. */
final class Wrapping {
    private static final String MARKER = "...";

    private Wrapping() {}

    static void addTo(Registry registry) {
        registry.add(
                "wrap",
                "func(int, string) string",
                (environment, arguments) ->
                        wrapped(environment, bytes(arguments, 1), integer(arguments, 0), "\n", false));
        registry.add(
                "wrapWith",
                "func(int, string, string) string",
                (environment, arguments) -> wrapped(
                        environment,
                        bytes(arguments, 2),
                        integer(arguments, 0),
                        bytes(arguments, 1).isEmpty() ? "\n" : bytes(arguments, 1),
                        true));
        registry.add(
                "abbrev",
                "func(int, string) string",
                (environment, arguments) ->
                        text(environment, abbreviated(bytes(arguments, 1), 0, integer(arguments, 0))));
        registry.add("abbrevboth", "func(int, int, string) string", Wrapping::abbrevBoth);
    }

    /** Breaks at blanks; a word longer than a line stays whole unless {@code breakWords}. */
    private static Value wrapped(
            Environment environment, String subject, long width, String lineEnd, boolean breakWords) {
        long line = Math.max(width, 1);
        int length = subject.length();
        // At worst there is a line end after each line of the given width, and one for each blank.
        long breaks = length / line + subject.chars().filter(c -> c == ' ').count();
        Arguments.chargeText(environment, length + breaks * lineEnd.length());
        StringBuilder result = new StringBuilder(length + 16);
        int offset = 0;
        while (length - offset > line) {
            if (subject.charAt(offset) == ' ') {
                offset++;
                continue;
            }
            // The blank may be the first character that does not fit.
            int end = offset + (int) line;
            int blank = lastBlank(subject, offset, end);
            if (blank < offset) {
                blank = breakWords ? -1 : subject.indexOf(' ', end);
                if (blank < 0) {
                    int cut = breakWords ? end : length;
                    result.append(subject, offset, cut).append(breakWords ? lineEnd : "");
                    offset = cut;
                    continue;
                }
            }
            result.append(subject, offset, blank).append(lineEnd);
            offset = blank + 1;
        }
        return text(environment, result.append(subject, offset, length).toString());
    }

    private static int lastBlank(String subject, int from, int last) {
        int at = last;
        while (at >= from && subject.charAt(at) != ' ') {
            at--;
        }
        return at;
    }

    private static Value abbrevBoth(Environment environment, List<Value> arguments) {
        long left = integer(arguments, 0);
        long right = integer(arguments, 1);
        String subject = bytes(arguments, 2);
        return text(environment, left > 0 && right < 7 ? subject : abbreviated(subject, left, right));
    }

    /** At most {@code width} bytes from about {@code offset} on; what is left out is shown by dots at that end. */
    private static String abbreviated(String subject, long offset, long width) {
        if (width < 4 || subject.length() <= width) {
            return subject;
        }
        int room = (int) width - MARKER.length();
        long start = Math.min(offset, subject.length());
        start = subject.length() - start < room ? subject.length() - room : start;
        if (start <= 4) {
            return subject.substring(0, room) + MARKER;
        }
        if (width < 7) {
            return "";
        }
        String tail = subject.substring((int) start);
        return MARKER
                + (tail.length() > room ? abbreviated(tail, 0, room) : subject.substring(subject.length() - room));
    }
}

package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.bytes;
import static io.osmhub.core.template.sprig.SprigArguments.integer;
import static io.osmhub.core.template.sprig.SprigArguments.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue;
import java.util.List;

/** Wraps and abbreviates texts. Widths count bytes. */
final class WrapFunctions {
    private static final String MARKER = "...";

    private WrapFunctions() {}

    static void addTo(FunctionRegistry registry) {
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
        registry.add("abbrevboth", "func(int, int, string) string", WrapFunctions::abbrevBoth);
    }

    /** Breaks at blanks; a word longer than a line is kept whole unless {@code breakWords}. */
    private static GoValue wrapped(
            ExecutionEnvironment environment, String subject, long width, String lineEnd, boolean breakWords) {
        long line = Math.max(width, 1);
        int length = subject.length();
        // In the worst case there is a line break after each line of the given width, and one for each blank.
        long breaks = length / line + subject.chars().filter(c -> c == ' ').count();
        SprigArguments.chargeText(environment, length + breaks * lineEnd.length());
        StringBuilder result = new StringBuilder(length + 16);
        int offset = 0;
        while (length - offset > line) {
            if (subject.charAt(offset) == ' ') {
                offset++;
                continue;
            }
            // The blank may be the first character that exceeds the width.
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

    private static GoValue abbrevBoth(ExecutionEnvironment environment, List<GoValue> arguments) {
        long left = integer(arguments, 0);
        long right = integer(arguments, 1);
        String subject = bytes(arguments, 2);
        return text(environment, left > 0 && right < 7 ? subject : abbreviated(subject, left, right));
    }

    /** At most {@code width} bytes from about {@code offset} on; omitted text is replaced by dots at that end. */
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

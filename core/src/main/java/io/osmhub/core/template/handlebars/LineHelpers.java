package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoValue;
import java.util.ArrayList;
import java.util.List;

/** Helpers for multi-line texts, such as YAML and unit files. */
final class LineHelpers {
    private static final int WIDEST = 1_000;

    private LineHelpers() {}

    static void addTo(HelperTable.Builder table) {
        table.add(new HelperDefinition(
                "indent",
                "N TEXT",
                2,
                2,
                "The text with N blanks before each non-empty line.",
                "{{indent 2 \"a\\nb\"}}",
                "  a\n  b",
                arguments -> GoString.ofBytes(indented(arguments))));
        table.add(new HelperDefinition(
                "nindent",
                "N TEXT",
                2,
                2,
                "Like indent, on a new line.",
                "key: |{{nindent 2 \"a\\nb\"}}",
                "key: |\n  a\n  b",
                arguments -> GoString.ofBytes("\n" + indented(arguments))));
        table.add(new HelperDefinition(
                "lines",
                "TEXT",
                1,
                1,
                "The lines of a text as a list, without their ends.",
                "{{#each (lines \"a\\nb\\n\")}}<{{this}}>{{/each}}",
                "<a><b>",
                LineHelpers::lines));
    }

    private static String indented(HelperArguments arguments) throws GoCallException {
        long width = arguments.number(0);
        if (width < 0 || width > WIDEST) {
            throw new GoCallException("argument 1 must be from 0 to " + WIDEST);
        }
        String text = arguments.text(1);
        long breaks = text.chars().filter(c -> c == '\n').count();
        arguments.environment().charge(breaks + 1, text.length() + (breaks + 1) * width);
        String blanks = " ".repeat((int) width);
        StringBuilder indented = new StringBuilder();
        int start = 0;
        while (start < text.length()) {
            int next = text.indexOf('\n', start) + 1;
            int end = next == 0 ? text.length() : next;
            boolean empty = text.charAt(start) == '\n';
            indented.append(empty ? "" : blanks).append(text, start, end);
            start = end;
        }
        return indented.toString();
    }

    private static GoValue lines(HelperArguments arguments) throws GoCallException {
        String text = arguments.text(0);
        List<GoValue> lines = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            arguments.environment().charge(1, 32);
            int found = text.indexOf('\n', start);
            int end = found < 0 ? text.length() : found;
            boolean carriageReturn = end > start && text.charAt(end - 1) == '\r';
            lines.add(GoString.ofBytes(text.substring(start, carriageReturn ? end - 1 : end)));
            start = end + 1;
        }
        return GoSlice.of(lines);
    }
}

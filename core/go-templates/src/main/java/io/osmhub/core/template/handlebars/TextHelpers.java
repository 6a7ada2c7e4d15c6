package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Text helpers: options come first, the text comes last, so that each can also be a block. */
final class TextHelpers {
    private static final int WIDEST = 1_000;

    private TextHelpers() {}

    static void addTo(HandlebarsHelpers helpers) {
        addText(helpers, "upper", text -> changeCase(text, true));
        addText(helpers, "lower", text -> changeCase(text, false));
        addText(helpers, "trim", text -> text.substring(start(text), end(text, start(text))));
        addText(helpers, "trimEnd", text -> text.substring(0, end(text, 0)));
        helpers.add("trimPrefix", 2, arguments -> {
            String text = arguments.text(1);
            String prefix = arguments.text(0);
            return GoString.ofBytes(text.startsWith(prefix) ? text.substring(prefix.length()) : text);
        });
        helpers.add("trimSuffix", 2, arguments -> {
            String text = arguments.text(1);
            String suffix = arguments.text(0);
            return GoString.ofBytes(text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text);
        });
        helpers.add("replace", 3, TextHelpers::replace);
        helpers.add("contains", 2, arguments -> GoBool.of(arguments.text(1).contains(arguments.text(0))));
        helpers.add("hasPrefix", 2, arguments -> GoBool.of(arguments.text(1).startsWith(arguments.text(0))));
        helpers.add("hasSuffix", 2, arguments -> GoBool.of(arguments.text(1).endsWith(arguments.text(0))));
        helpers.add("split", 2, TextHelpers::split);
        helpers.add("join", 2, TextHelpers::join);
        helpers.add("concat", 1, HandlebarsHelpers.ANY, arguments -> {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < arguments.count(); i++) {
                text.append(arguments.text(i));
            }
            return GoString.ofBytes(text.toString());
        });
        addText(helpers, "quote", GoQuote::quote);
        addText(helpers, "squote", text -> "'" + text.replace("'", "''") + "'");
        addText(helpers, "shellQuote", text -> "'" + text.replace("'", "'\\''") + "'");
        helpers.add("indent", 2, arguments -> GoString.ofBytes(indented(arguments)));
        helpers.add("nindent", 2, arguments -> GoString.ofBytes("\n" + indented(arguments)));
        helpers.add("lines", 1, TextHelpers::lines);
    }

    /** Converts a text, both as bytes. */
    @FunctionalInterface
    private interface Change {
        String of(String text) throws GoCallException;
    }

    private static void addText(HandlebarsHelpers helpers, String name, Change change) {
        helpers.add(name, 1, arguments -> {
            String text = arguments.text(0);
            arguments.environment().charge(1, 2L * text.length());
            return GoString.ofBytes(change.of(text));
        });
    }

    private static String changeCase(String bytes, boolean upper) {
        String text = GoString.text(bytes);
        return GoString.bytes(upper ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT));
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    private static int start(String text) {
        int start = 0;
        while (start < text.length() && isBlank(text.charAt(start))) {
            start++;
        }
        return start;
    }

    private static int end(String text, int start) {
        int end = text.length();
        while (end > start && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    private static GoValue replace(HelperArguments arguments) throws GoCallException {
        String old = arguments.text(0);
        String replacement = arguments.text(1);
        String text = arguments.text(2);
        if (old.isEmpty()) {
            throw new GoCallException("argument 1 must not be empty");
        }
        long count = 0;
        for (int at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length())) {
            count++;
        }
        // Counted before it is built: each replacement may be much longer than the original.
        arguments.environment().charge(count, text.length() + count * replacement.length());
        return GoString.ofBytes(text.replace(old, replacement));
    }

    private static GoValue split(HelperArguments arguments) throws GoCallException {
        String separator = arguments.text(0);
        String text = arguments.text(1);
        if (separator.isEmpty()) {
            throw new GoCallException("argument 1 must not be empty");
        }
        List<GoValue> parts = new ArrayList<>();
        int start = 0;
        for (int at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, start)) {
            arguments.environment().charge(1, 32);
            parts.add(GoString.ofBytes(text.substring(start, at)));
            start = at + separator.length();
        }
        if (!text.isEmpty()) {
            parts.add(GoString.ofBytes(text.substring(start)));
        }
        return GoSlice.of(parts);
    }

    private static GoValue join(HelperArguments arguments) throws GoCallException {
        String separator = arguments.text(0);
        StringBuilder text = new StringBuilder();
        boolean first = true;
        for (GoValue element : arguments.list(1)) {
            String part = HandlebarsValues.text(element, arguments.environment());
            arguments.environment().charge(1, part.length() + separator.length());
            text.append(first ? "" : separator).append(part);
            first = false;
        }
        return GoString.ofBytes(text.toString());
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

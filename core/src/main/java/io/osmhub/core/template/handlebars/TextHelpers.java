package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.GoBool;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoSlice;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.text.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;

/** Text helpers: options come first, the text comes last, so that each can also be a block. */
final class TextHelpers {
    private TextHelpers() {}

    static void addTo(HelperTable.Builder table) {
        table.add(onText("upper", "The text in upper case.", "{{upper \"ab\"}}", "AB", text -> changeCase(text, true)));
        table.add(
                onText("lower", "The text in lower case.", "{{lower \"AB\"}}", "ab", text -> changeCase(text, false)));
        table.add(onText(
                "trim",
                "The text without blanks and line breaks at both ends.",
                "[{{trim \"  a \"}}]",
                "[a]",
                text -> text.substring(start(text), end(text, start(text)))));
        table.add(onText(
                "trimEnd",
                "The text without blanks and line breaks at the end.",
                "[{{trimEnd \" a \"}}]",
                "[ a]",
                text -> text.substring(0, end(text, 0))));
        table.add(new HelperDefinition(
                "trimPrefix",
                "PREFIX TEXT",
                2,
                2,
                "The text without a prefix, if it has it.",
                "{{trimPrefix \"v\" \"v1.33\"}}",
                "1.33",
                arguments -> {
                    String text = arguments.text(1);
                    String prefix = arguments.text(0);
                    return GoString.ofBytes(text.startsWith(prefix) ? text.substring(prefix.length()) : text);
                }));
        table.add(new HelperDefinition(
                "trimSuffix",
                "SUFFIX TEXT",
                2,
                2,
                "The text without a suffix, if it has it.",
                "{{trimSuffix \".sh\" \"setup.sh\"}}",
                "setup",
                arguments -> {
                    String text = arguments.text(1);
                    String suffix = arguments.text(0);
                    return GoString.ofBytes(
                            text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text);
                }));
        table.add(new HelperDefinition(
                "replace",
                "OLD NEW TEXT",
                3,
                3,
                "The text with every OLD replaced by NEW.",
                "{{replace \".\" \"-\" \"a.b.c\"}}",
                "a-b-c",
                TextHelpers::replace));
        table.add(question(
                "contains",
                "PART",
                "Whether the text contains another.",
                "{{contains \"b\" \"abc\"}}",
                String::contains));
        table.add(question(
                "hasPrefix",
                "PREFIX",
                "Whether the text begins with a prefix.",
                "{{hasPrefix \"a\" \"abc\"}}",
                String::startsWith));
        table.add(question(
                "hasSuffix",
                "SUFFIX",
                "Whether the text ends with a suffix.",
                "{{hasSuffix \"c\" \"abc\"}}",
                String::endsWith));
        table.add(new HelperDefinition(
                "split",
                "SEPARATOR TEXT",
                2,
                2,
                "The parts of a text between separators, as a list; none for an empty text.",
                "{{#each (split \",\" \"a,b\")}}<{{this}}>{{/each}}",
                "<a><b>",
                TextHelpers::split));
        table.add(new HelperDefinition(
                "join",
                "SEPARATOR LIST",
                2,
                2,
                "The elements of a list as one text.",
                "{{join \",\" (list \"a\" 1)}}",
                "a,1",
                TextHelpers::join));
        table.add(new HelperDefinition(
                "concat",
                "A B ...",
                1,
                HelperDefinition.ANY,
                "Texts one after the other.",
                "{{concat \"a\" 1 \"b\"}}",
                "a1b",
                arguments -> {
                    StringBuilder text = new StringBuilder();
                    for (int i = 0; i < arguments.count(); i++) {
                        text.append(arguments.text(i));
                    }
                    return GoString.ofBytes(text.toString());
                }));
        table.add(onText(
                "quote",
                "The text in double quotes, with escapes as in JSON, YAML and C.",
                "{{quote \"a\\tb\"}}",
                "\"a\\tb\"",
                GoQuote::quote));
        table.add(onText(
                "squote",
                "The text in single quotes for YAML: a quote inside is doubled.",
                "{{squote \"it's\"}}",
                "'it''s'",
                text -> "'" + text.replace("'", "''") + "'"));
        table.add(onText(
                "shellQuote",
                "The text quoted as one word of a shell command.",
                "{{shellQuote \"it's $5\"}}",
                "'it'\\''s $5'",
                text -> "'" + text.replace("'", "'\\''") + "'"));
    }

    /** Converts a text, both as bytes. */
    @FunctionalInterface
    private interface Change {
        String of(String text) throws GoCallException;
    }

    private static HelperDefinition onText(
            String name, String description, String example, String result, Change change) {
        return new HelperDefinition(name, "TEXT", 1, 1, description, example, result, arguments -> {
            String text = arguments.text(0);
            arguments.environment().charge(1, 2L * text.length());
            return GoString.ofBytes(change.of(text));
        });
    }

    private static HelperDefinition question(
            String name, String needle, String description, String example, BiPredicate<String, String> question) {
        return new HelperDefinition(
                name,
                needle + " TEXT",
                2,
                2,
                description,
                example,
                "true",
                arguments -> GoBool.of(question.test(arguments.text(1), arguments.text(0))));
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
}

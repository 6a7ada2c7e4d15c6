package io.osmhub.core.template.handlebars;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;

/** Texts: what comes first says what to do, the text comes last, so that each can also be a block. */
final class TextHelpers {
    private TextHelpers() {}

    static void addTo(HelperTable.Builder table) {
        table.add(onText("upper", "In capital letters.", "{{upper \"ab\"}}", "AB", text -> changeCase(text, true)));
        table.add(onText("lower", "In small letters.", "{{lower \"AB\"}}", "ab", text -> changeCase(text, false)));
        table.add(onText(
                "trim",
                "Without blanks and line breaks at both ends.",
                "[{{trim \"  a \"}}]",
                "[a]",
                text -> text.substring(start(text), end(text, start(text)))));
        table.add(onText(
                "trimEnd",
                "Without blanks and line breaks at the end.",
                "[{{trimEnd \" a \"}}]",
                "[ a]",
                text -> text.substring(0, end(text, 0))));
        table.add(new Helper(
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
                    return Str.ofBytes(text.startsWith(prefix) ? text.substring(prefix.length()) : text);
                }));
        table.add(new Helper(
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
                    return Str.ofBytes(
                            text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text);
                }));
        table.add(new Helper(
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
                "Whether the text contains a part.",
                "{{contains \"b\" \"abc\"}}",
                String::contains));
        table.add(question(
                "hasPrefix",
                "PREFIX",
                "Whether the text begins so.",
                "{{hasPrefix \"a\" \"abc\"}}",
                String::startsWith));
        table.add(question(
                "hasSuffix", "SUFFIX", "Whether the text ends so.", "{{hasSuffix \"c\" \"abc\"}}", String::endsWith));
        table.add(new Helper(
                "split",
                "SEPARATOR TEXT",
                2,
                2,
                "The parts of a text between separators, as a list; none for an empty text.",
                "{{#each (split \",\" \"a,b\")}}<{{this}}>{{/each}}",
                "<a><b>",
                TextHelpers::split));
        table.add(new Helper(
                "join",
                "SEPARATOR LIST",
                2,
                2,
                "The elements of a list as one text.",
                "{{join \",\" (list \"a\" 1)}}",
                "a,1",
                TextHelpers::join));
        table.add(new Helper(
                "concat",
                "A B ...",
                1,
                Helper.ANY,
                "Texts one after the other.",
                "{{concat \"a\" 1 \"b\"}}",
                "a1b",
                arguments -> {
                    StringBuilder text = new StringBuilder();
                    for (int i = 0; i < arguments.count(); i++) {
                        text.append(arguments.text(i));
                    }
                    return Str.ofBytes(text.toString());
                }));
        table.add(onText(
                "quote",
                "In double quotes, with escapes as in JSON, YAML and C.",
                "{{quote \"a\\tb\"}}",
                "\"a\\tb\"",
                GoQuote::quote));
        table.add(onText(
                "squote",
                "In single quotes as YAML wants it: a quote inside is doubled.",
                "{{squote \"it's\"}}",
                "'it''s'",
                text -> "'" + text.replace("'", "''") + "'"));
        table.add(onText(
                "shellQuote",
                "As one word of a shell command, whatever it contains.",
                "{{shellQuote \"it's $5\"}}",
                "'it'\\''s $5'",
                text -> "'" + text.replace("'", "'\\''") + "'"));
    }

    /** Makes a text of a text, both as bytes. */
    @FunctionalInterface
    private interface Change {
        String of(String text) throws CallFailure;
    }

    private static Helper onText(String name, String description, String example, String result, Change change) {
        return new Helper(name, "TEXT", 1, 1, description, example, result, arguments -> {
            String text = arguments.text(0);
            arguments.environment().charge(1, 2L * text.length());
            return Str.ofBytes(change.of(text));
        });
    }

    private static Helper question(
            String name, String needle, String description, String example, BiPredicate<String, String> question) {
        return new Helper(
                name,
                needle + " TEXT",
                2,
                2,
                description,
                example,
                "true",
                arguments -> Bool.of(question.test(arguments.text(1), arguments.text(0))));
    }

    private static String changeCase(String bytes, boolean upper) {
        String text = Str.text(bytes);
        return Str.bytes(upper ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT));
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

    private static Value replace(Arguments arguments) throws CallFailure {
        String old = arguments.text(0);
        String replacement = arguments.text(1);
        String text = arguments.text(2);
        if (old.isEmpty()) {
            throw new CallFailure("argument 1 must not be empty");
        }
        long count = 0;
        for (int at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length())) {
            count++;
        }
        // Counted before it is made: each replacement may be much longer than what it replaces.
        arguments.environment().charge(count, text.length() + count * replacement.length());
        return Str.ofBytes(text.replace(old, replacement));
    }

    private static Value split(Arguments arguments) throws CallFailure {
        String separator = arguments.text(0);
        String text = arguments.text(1);
        if (separator.isEmpty()) {
            throw new CallFailure("argument 1 must not be empty");
        }
        List<Value> parts = new ArrayList<>();
        int start = 0;
        for (int at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, start)) {
            arguments.environment().charge(1, 32);
            parts.add(Str.ofBytes(text.substring(start, at)));
            start = at + separator.length();
        }
        if (!text.isEmpty()) {
            parts.add(Str.ofBytes(text.substring(start)));
        }
        return Slice.of(parts);
    }

    private static Value join(Arguments arguments) throws CallFailure {
        String separator = arguments.text(0);
        StringBuilder text = new StringBuilder();
        boolean first = true;
        for (Value element : arguments.list(1)) {
            String part = Values.text(element, arguments.environment());
            arguments.environment().charge(1, part.length() + separator.length());
            text.append(first ? "" : separator).append(part);
            first = false;
        }
        return Str.ofBytes(text.toString());
    }
}

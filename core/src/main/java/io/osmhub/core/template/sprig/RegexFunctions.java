package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.SprigArguments.bytes;
import static io.osmhub.core.template.sprig.SprigArguments.integer;
import static io.osmhub.core.template.sprig.SprigArguments.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.List;

/** Regular expressions. Each function has a {@code must} variant, which differs only in its error message. */
final class RegexFunctions {
    private static final String META = "\\.+*?()|[]{}^$";

    /** A function of a compiled expression and the call's arguments. */
    @FunctionalInterface
    private interface RegexCode {
        GoValue call(ExecutionEnvironment environment, GoRegex regex, List<GoValue> arguments) throws GoCallException;
    }

    private RegexFunctions() {}

    static void addTo(FunctionRegistry registry) {
        registry.add("regexMatch", "func(string, string) bool", (environment, arguments) -> {
            try {
                return matches(environment, GoRegex.compile(environment, bytes(arguments, 0)), arguments);
            } catch (GoCallException invalid) {
                return GoBool.FALSE;
            }
        });
        must(registry, "mustRegexMatch", "func(string, string) (bool, error)", RegexFunctions::matches);
        both(registry, "regexFind", "func(string, string) string", RegexFunctions::find);
        both(registry, "regexFindAll", "func(string, string, int) []string", RegexFunctions::findAll);
        both(
                registry,
                "regexReplaceAll",
                "func(string, string, string) string",
                (environment, regex, arguments) -> replaceAll(environment, regex, arguments, true));
        both(
                registry,
                "regexReplaceAllLiteral",
                "func(string, string, string) string",
                (environment, regex, arguments) -> replaceAll(environment, regex, arguments, false));
        both(registry, "regexSplit", "func(string, string, int) []string", RegexFunctions::split);
        registry.add("regexQuoteMeta", "func(string) string", (environment, arguments) -> {
            String plain = bytes(arguments, 0);
            SprigArguments.chargeText(environment, 2L * plain.length());
            StringBuilder quoted = new StringBuilder(plain.length() + 8);
            plain.chars().forEach(c -> quoted.append(META.indexOf(c) >= 0 ? "\\" : "")
                    .append((char) c));
            return text(environment, quoted.toString());
        });
    }

    private static void both(FunctionRegistry registry, String name, String signature, RegexCode code) {
        registry.add(
                name,
                signature,
                (environment, arguments) ->
                        code.call(environment, GoRegex.mustCompile(environment, bytes(arguments, 0)), arguments));
        must(registry, "mustR" + name.substring(1), signature, code);
    }

    private static void must(FunctionRegistry registry, String name, String signature, RegexCode code) {
        registry.add(
                name,
                signature,
                (environment, arguments) ->
                        code.call(environment, GoRegex.compile(environment, bytes(arguments, 0)), arguments));
    }

    private static GoValue matches(ExecutionEnvironment environment, GoRegex regex, List<GoValue> arguments) {
        return GoBool.of(regex.new Search(environment, bytes(arguments, 1)).found());
    }

    private static GoValue find(ExecutionEnvironment environment, GoRegex regex, List<GoValue> arguments) {
        String subject = bytes(arguments, 1);
        List<GoRegex.Match> found = regex.new Search(environment, subject).all(1);
        return found.isEmpty()
                ? GoString.EMPTY
                : text(
                        environment,
                        subject.substring(
                                found.getFirst().start(), found.getFirst().end()));
    }

    private static GoValue findAll(ExecutionEnvironment environment, GoRegex regex, List<GoValue> arguments) {
        String subject = bytes(arguments, 1);
        List<GoRegex.Match> found = regex.new Search(environment, subject).all(integer(arguments, 2));
        List<String> texts = new ArrayList<>(found.size());
        for (GoRegex.Match match : found) {
            texts.add(subject.substring(match.start(), match.end()));
        }
        return texts.isEmpty() ? new GoSlice(GoType.STRINGS, null) : SprigArguments.strings(environment, texts);
    }

    private static GoValue split(ExecutionEnvironment environment, GoRegex regex, List<GoValue> arguments) {
        String subject = bytes(arguments, 1);
        long limit = integer(arguments, 2);
        if (limit == 0) {
            return new GoSlice(GoType.STRINGS, null);
        }
        if (subject.isEmpty() && !bytes(arguments, 0).isEmpty()) {
            return SprigArguments.strings(environment, List.of(""));
        }
        List<String> parts = new ArrayList<>();
        int begin = 0;
        int end = 0;
        for (GoRegex.Match match : regex.new Search(environment, subject).all(limit)) {
            if (limit > 0 && parts.size() == limit - 1) {
                break;
            }
            end = match.start();
            // An empty match at the very start splits nothing off.
            if (match.end() != 0) {
                parts.add(subject.substring(begin, end));
            }
            begin = match.end();
        }
        if (end != subject.length()) {
            parts.add(subject.substring(begin));
        }
        return SprigArguments.strings(environment, parts);
    }

    private static GoValue replaceAll(
            ExecutionEnvironment environment, GoRegex regex, List<GoValue> arguments, boolean expand) {
        String subject = bytes(arguments, 1);
        String replacement = bytes(arguments, 2);
        boolean plain = !expand || replacement.indexOf('$') < 0;
        StringBuilder result = new StringBuilder();
        int position = 0;
        for (GoRegex.Match match : regex.new Search(environment, subject).all(-1)) {
            int before = result.length();
            result.append(subject, position, match.start());
            if (plain) {
                result.append(replacement);
            } else {
                RegexReplacement.expand(environment, replacement, regex, match, subject, result);
            }
            SprigArguments.chargeText(environment, result.length() - before);
            position = match.end();
        }
        return text(
                environment, result.append(subject, position, subject.length()).toString());
    }

    /** Expands a replacement such as {@code $1 ${name}} with the groups of a match. */
    private static final class RegexReplacement {
        private static final int MAX_NUMBER_LENGTH = 8;

        private RegexReplacement() {}

        static void expand(
                ExecutionEnvironment environment,
                String template,
                GoRegex regex,
                GoRegex.Match match,
                String subject,
                StringBuilder result) {
            int position = 0;
            while (position < template.length()) {
                int dollar = template.indexOf('$', position);
                if (dollar < 0) {
                    break;
                }
                result.append(template, position, dollar);
                position = dollar + 1;
                if (template.startsWith("$", position)) {
                    result.append('$');
                    position++;
                    continue;
                }
                boolean brace = template.startsWith("{", position);
                int start = position + (brace ? 1 : 0);
                int end = nameEnd(template, start);
                if (end == start || (brace && !template.startsWith("}", end))) {
                    result.append('$');
                    continue;
                }
                position = brace ? end + 1 : end;
                String name = template.substring(start, end);
                int group = isNumber(name) ? Integer.parseInt(name) : regex.groupNamed(name, match);
                int[] bounds = match.bounds();
                if (group >= 0 && 2 * group < bounds.length && bounds[2 * group] >= 0) {
                    SprigArguments.chargeText(environment, bounds[2 * group + 1] - bounds[2 * group]);
                    result.append(subject, bounds[2 * group], bounds[2 * group + 1]);
                }
            }
            result.append(template, position, template.length());
        }

        /** Names are as long as possible: {@code $1x} is the group named {@code 1x}. */
        private static int nameEnd(String template, int start) {
            int end = start;
            while (end < template.length()) {
                int rune = Runes.at(template, end);
                if (!Character.isLetterOrDigit(rune) && rune != '_') {
                    break;
                }
                end += Runes.sizeAt(template, end);
            }
            return end;
        }

        private static boolean isNumber(String name) {
            return name.length() <= MAX_NUMBER_LENGTH
                    && (name.length() == 1 || name.charAt(0) != '0')
                    && name.chars().allMatch(c -> c >= '0' && c <= '9');
        }
    }
}

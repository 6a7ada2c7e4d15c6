package io.osmhub.core.template.sprig;

import static io.osmhub.core.template.sprig.Arguments.bytes;
import static io.osmhub.core.template.sprig.Arguments.integer;
import static io.osmhub.core.template.sprig.Arguments.text;

import io.osmhub.core.golang.Bool;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.ArrayList;
import java.util.List;

/** Regular expressions. Each function has a {@code must} twin, which differs in the words of its error only. */
final class Regexes {
    private static final String META = "\\.+*?()|[]{}^$";

    /** A function of a compiled expression and the call's arguments. */
    @FunctionalInterface
    private interface RegexCode {
        Value call(Environment environment, Regex regex, List<Value> arguments) throws CallFailure;
    }

    private Regexes() {}

    static void addTo(Registry registry) {
        registry.add("regexMatch", "func(string, string) bool", (environment, arguments) -> {
            try {
                return matches(environment, Regex.compile(environment, bytes(arguments, 0)), arguments);
            } catch (CallFailure invalid) {
                return Bool.FALSE;
            }
        });
        must(registry, "mustRegexMatch", "func(string, string) (bool, error)", Regexes::matches);
        both(registry, "regexFind", "func(string, string) string", Regexes::find);
        both(registry, "regexFindAll", "func(string, string, int) []string", Regexes::findAll);
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
        both(registry, "regexSplit", "func(string, string, int) []string", Regexes::split);
        registry.add("regexQuoteMeta", "func(string) string", (environment, arguments) -> {
            String plain = bytes(arguments, 0);
            Arguments.chargeText(environment, 2L * plain.length());
            StringBuilder quoted = new StringBuilder(plain.length() + 8);
            plain.chars().forEach(c -> quoted.append(META.indexOf(c) >= 0 ? "\\" : "")
                    .append((char) c));
            return text(environment, quoted.toString());
        });
    }

    private static void both(Registry registry, String name, String signature, RegexCode code) {
        registry.add(
                name,
                signature,
                (environment, arguments) ->
                        code.call(environment, Regex.mustCompile(environment, bytes(arguments, 0)), arguments));
        must(registry, "mustR" + name.substring(1), signature, code);
    }

    private static void must(Registry registry, String name, String signature, RegexCode code) {
        registry.add(
                name,
                signature,
                (environment, arguments) ->
                        code.call(environment, Regex.compile(environment, bytes(arguments, 0)), arguments));
    }

    private static Value matches(Environment environment, Regex regex, List<Value> arguments) {
        return Bool.of(regex.new Search(environment, bytes(arguments, 1)).found());
    }

    private static Value find(Environment environment, Regex regex, List<Value> arguments) {
        String subject = bytes(arguments, 1);
        List<Regex.Match> found = regex.new Search(environment, subject).all(1);
        return found.isEmpty()
                ? Str.EMPTY
                : text(
                        environment,
                        subject.substring(
                                found.getFirst().start(), found.getFirst().end()));
    }

    private static Value findAll(Environment environment, Regex regex, List<Value> arguments) {
        String subject = bytes(arguments, 1);
        List<Regex.Match> found = regex.new Search(environment, subject).all(integer(arguments, 2));
        List<String> texts = new ArrayList<>(found.size());
        for (Regex.Match match : found) {
            texts.add(subject.substring(match.start(), match.end()));
        }
        return texts.isEmpty() ? new Slice(Type.STRINGS, null) : Arguments.strings(environment, texts);
    }

    private static Value split(Environment environment, Regex regex, List<Value> arguments) {
        String subject = bytes(arguments, 1);
        long limit = integer(arguments, 2);
        if (limit == 0) {
            return new Slice(Type.STRINGS, null);
        }
        if (subject.isEmpty() && !bytes(arguments, 0).isEmpty()) {
            return Arguments.strings(environment, List.of(""));
        }
        List<String> parts = new ArrayList<>();
        int begin = 0;
        int end = 0;
        for (Regex.Match match : regex.new Search(environment, subject).all(limit)) {
            if (limit > 0 && parts.size() == limit - 1) {
                break;
            }
            end = match.start();
            // An empty match at the very beginning splits nothing off.
            if (match.end() != 0) {
                parts.add(subject.substring(begin, end));
            }
            begin = match.end();
        }
        if (end != subject.length()) {
            parts.add(subject.substring(begin));
        }
        return Arguments.strings(environment, parts);
    }

    private static Value replaceAll(Environment environment, Regex regex, List<Value> arguments, boolean expand) {
        String subject = bytes(arguments, 1);
        String replacement = bytes(arguments, 2);
        boolean plain = !expand || replacement.indexOf('$') < 0;
        StringBuilder result = new StringBuilder();
        int position = 0;
        for (Regex.Match match : regex.new Search(environment, subject).all(-1)) {
            int before = result.length();
            result.append(subject, position, match.start());
            if (plain) {
                result.append(replacement);
            } else {
                RegexTemplate.expand(environment, replacement, regex, match, subject, result);
            }
            Arguments.chargeText(environment, result.length() - before);
            position = match.end();
        }
        return text(
                environment, result.append(subject, position, subject.length()).toString());
    }
}

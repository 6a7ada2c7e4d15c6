package io.osmhub.core.template.functions;

import static io.osmhub.core.template.functions.SprigArguments.bytes;
import static io.osmhub.core.template.functions.SprigArguments.integer;
import static io.osmhub.core.template.functions.SprigArguments.text;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8Runes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Regular expressions. Each function has a {@code must} variant, which differs only in its error message. */
final class RegexFunctions {
    private static final String META = "\\.+*?()|[]{}^$";

    /** A function of a compiled expression and the call's arguments. */
    @FunctionalInterface
    private interface RegexCode {
        GoValue call(ExecutionEnvironment environment, GoRegex regex, List<GoValue> arguments) throws GoCallException;
    }

    private RegexFunctions() {}

    static void addTo(FunctionRegistry.Builder registry) {
        registry.addCode("regexMatch", "func(string, string) bool", (environment, arguments) -> {
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
        registry.addCode("regexQuoteMeta", "func(string) string", (environment, arguments) -> {
            String plain = bytes(arguments, 0);
            SprigArguments.chargeText(environment, 2L * plain.length());
            StringBuilder quoted = new StringBuilder(plain.length() + 8);
            plain.chars().forEach(c -> quoted.append(META.indexOf(c) >= 0 ? "\\" : "")
                    .append((char) c));
            return text(environment, quoted.toString());
        });
    }

    private static void both(FunctionRegistry.Builder registry, String name, String signature, RegexCode code) {
        registry.addCode(
                name,
                signature,
                (environment, arguments) ->
                        code.call(environment, GoRegex.mustCompile(environment, bytes(arguments, 0)), arguments));
        must(registry, "mustR" + name.substring(1), signature, code);
    }

    private static void must(FunctionRegistry.Builder registry, String name, String signature, RegexCode code) {
        registry.addCode(
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

    /** A compiled regular expression over byte strings. A match takes time linear in the text and is charged before it starts. */
    private static final class GoRegex {
        /** Bounds of a match and its groups: bytes from {@code bounds[2*i]} to {@code bounds[2*i+1]}, -1 for an unused group. */
        record Match(int[] bounds) {
            int start() {
                return bounds[0];
            }

            int end() {
                return bounds[1];
            }
        }

        /**
         * The library's machine recurses for each part that matches nothing. Up to this size that fits the usual stack; where it does
         * not, the overflow is caught, and the machine is not used again.
         */
        private static final int MAX_SIZE = 8_000;

        private static final int SQUARE_PER_STEP = 1_000;

        /** Moves of the matching machine per step. */
        private static final int MOVES_PER_STEP = 16;

        /**
         * A search rarely reads all of the rest, so each but the first is charged only this fraction; the time limit covers the rest.
         */
        private static final int USUAL_SHARE = 64;

        private final Pattern pattern;
        private final List<String> names;

        private GoRegex(Pattern pattern, List<String> names) {
            this.pattern = pattern;
            this.names = names;
        }

        static GoRegex compile(ExecutionEnvironment environment, String bytes) throws GoCallException {
            // Both the scan and the library look ahead to the end from some characters.
            long length = bytes.length();
            environment.charge(1 + length / 16 + length * length / SQUARE_PER_STEP, 2 * length);
            for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
                if (Utf8Runes.runeAt(bytes, i) == Utf8Runes.BROKEN) {
                    throw invalid("invalid UTF-8: `" + bytes.substring(i) + "`");
                }
            }
            RegexAnalyzer.Result scan = RegexAnalyzer.scan(GoString.text(bytes));
            environment.charge(scan.size(), 100 * scan.size());
            if (scan.size() > MAX_SIZE) {
                throw tooLarge();
            }
            Pattern pattern;
            try {
                pattern = Pattern.compile(scan.pattern());
            } catch (PatternSyntaxException invalid) {
                throw invalid(problem(invalid, scan.problem(), bytes));
            } catch (StackOverflowError deep) {
                throw tooLarge();
            }
            if (scan.problem() != null) {
                throw invalid(scan.problem());
            }
            return new GoRegex(pattern, scan.names());
        }

        private static LimitExceededException tooLarge() {
            return new LimitExceededException("a regular expression with too many parts");
        }

        private static GoCallException invalid(@Nullable String problem) {
            return new GoCallException("error parsing regexp: " + problem);
        }

        // The library's messages are Go's, except for quotes of the whole expression, which has been cut or rewritten.
        private static String problem(PatternSyntaxException invalid, @Nullable String later, String bytes) {
            String part = invalid.getPattern() == null ? "" : invalid.getPattern();
            if (part.equals("stack underflow")) {
                return "unexpected ): `" + bytes + "`";
            }
            if (!invalid.getDescription().equals("missing closing )")) {
                return invalid.getDescription() + ": `" + GoString.bytes(part) + "`";
            }
            return later == null ? invalid.getDescription() + ": `" + bytes + "`" : later;
        }

        /** As {@link #compile}, with the error of Go's {@code MustCompile}. */
        static GoRegex mustCompile(ExecutionEnvironment environment, String bytes) throws GoCallException {
            try {
                return compile(environment, bytes);
            } catch (GoCallException failure) {
                String quoted = GoQuote.canBackquote(bytes) ? "`" + bytes + "`" : GoQuote.quote(bytes);
                throw new GoCallException("regexp: Compile(" + quoted + "): " + failure.text());
            }
        }

        /** Number of the group with that name in the match, -1 if none. */
        int groupNamed(String name, Match match) {
            for (int i = 1; i < names.size(); i++) {
                if (names.get(i).equals(name) && 2 * i < match.bounds().length && match.bounds()[2 * i] >= 0) {
                    return i;
                }
            }
            return -1;
        }

        /** A search in one text. The library works on characters, so positions are translated if the text is not ASCII. */
        final class Search {
            private final ExecutionEnvironment environment;
            private final String bytes;
            private final int[] offsets;
            private final Matcher matcher;
            private final int length;

            Search(ExecutionEnvironment environment, String bytes) {
                this.environment = environment;
                this.bytes = bytes;
                environment.charge(1 + moves(bytes.length()), 0);
                boolean ascii = bytes.chars().allMatch(c -> c < 0x80);
                if (ascii) {
                    offsets = new int[0];
                    matcher = pattern.matcher(bytes);
                    length = bytes.length();
                } else {
                    environment.charge(bytes.length(), 6L * bytes.length());
                    offsets = new int[bytes.length() + 1];
                    String text = characters();
                    matcher = pattern.matcher(text);
                    length = text.length();
                }
            }

            private long moves(int chars) {
                return (long) chars * pattern.programSize() / MOVES_PER_STEP;
            }

            private String characters() {
                StringBuilder text = new StringBuilder(bytes.length());
                for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
                    offsets[text.length()] = i;
                    text.appendCodePoint(Runes.at(bytes, i));
                }
                offsets[text.length()] = bytes.length();
                return text.toString();
            }

            /** All matches, at most {@code limit} unless negative. An empty match directly after another is ignored. */
            List<Match> all(long limit) {
                List<Match> matches = new ArrayList<>();
                int position = 0;
                int lastEnd = -1;
                while (position <= length && (limit < 0 || matches.size() < limit) && find(position)) {
                    int start = matcher.start();
                    int end = matcher.end();
                    if (end > start || start != lastEnd) {
                        matches.add(match());
                    }
                    lastEnd = end;
                    position = end > position ? end : position + characterLength(position);
                }
                return matches;
            }

            private boolean find(int from) {
                environment.charge(4 + moves(length - from) / USUAL_SHARE, SprigArguments.SLOT_BYTES);
                try {
                    return matcher.find(from);
                } catch (StackOverflowError deep) {
                    throw tooLarge();
                }
            }

            boolean found() {
                return find(0);
            }

            private int characterLength(int position) {
                return offsets.length == 0 || position >= length ? 1 : Character.charCount(codePointAt(position));
            }

            private int codePointAt(int position) {
                return Runes.at(bytes, offsets[position]);
            }

            private Match match() {
                int[] bounds = new int[2 * (matcher.groupCount() + 1)];
                for (int i = 0; i < bounds.length / 2; i++) {
                    bounds[2 * i] = offset(matcher.start(i));
                    bounds[2 * i + 1] = offset(matcher.end(i));
                }
                return new Match(bounds);
            }

            private int offset(int position) {
                return position < 0 || offsets.length == 0 ? position : offsets[position];
            }
        }
    }
}

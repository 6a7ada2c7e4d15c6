package io.osmhub.core.template.functions;

import static io.osmhub.core.golang.GoType.BOOL;
import static io.osmhub.core.golang.GoType.INT;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.STRINGS;
import static io.osmhub.core.golang.GoType.function;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.Utf8Runes;
import java.util.ArrayList;
import java.util.List;

/**
 * Regular expressions, by the library re2j, which matches in linear time as Go does. The first argument of every function is the
 * expression and the second one the text.
 */
final class Regexes {
    private static final GoType TEST = function(BOOL, STRING, STRING);
    private static final GoType FIND = function(STRING, STRING, STRING);
    private static final GoType FIND_ALL = function(STRINGS, STRING, STRING, INT);
    private static final GoType REPLACE = function(STRING, STRING, STRING, STRING);

    private static final String META = "\\.+*?()|[]{}^$";
    private static final int LONGEST_PATTERN = 1_000;

    /**
     * The library's machine recurses for each part that matches nothing. Up to this size that fits the usual stack; where it does not,
     * the overflow is caught.
     */
    private static final int MAX_SIZE = 8_000;

    private Regexes() {}

    static void addTo(FunctionRegistry.Builder functions) {
        FunctionCall.Body test = call -> GoBool.of(new Search(call).find(0));
        functions.add("mustRegexMatch", TEST, test);
        functions.add("regexMatch", TEST, call -> call.orElse(test, error -> GoBool.FALSE));
        functions.withMust("regexFind", FIND, call -> {
            Search search = new Search(call);
            List<int[]> found = search.findAll(1);
            return found.isEmpty() ? GoString.EMPTY : GoString.ofBytes(search.group(found.getFirst(), 0));
        });
        functions.withMust("regexFindAll", FIND_ALL, call -> {
            Search search = new Search(call);
            List<int[]> found = search.findAll(call.integer(2));
            return found.isEmpty()
                    ? new GoSlice(STRINGS, null)
                    : Strings.strings(
                            found.stream().map(match -> search.group(match, 0)).toList());
        });
        functions.withMust("regexSplit", FIND_ALL, Regexes::split);
        functions.withMust(
                "regexReplaceAll",
                REPLACE,
                call -> replaceAll(call, call.text(2).indexOf('$') >= 0));
        functions.withMust("regexReplaceAllLiteral", REPLACE, call -> replaceAll(call, false));
        functions.text("regexQuoteMeta", text -> {
            StringBuilder quoted = new StringBuilder(text.length() + 8);
            text.chars().forEach(c -> quoted.append(META.indexOf(c) >= 0 ? "\\" : "")
                    .append((char) c));
            return quoted.toString();
        });
    }

    private static GoValue split(FunctionCall call) throws GoCallException {
        Search search = new Search(call);
        String text = call.text(1);
        long limit = call.integer(2);
        if (limit == 0) {
            return new GoSlice(STRINGS, null);
        }
        if (text.isEmpty() && !call.text(0).isEmpty()) {
            return Strings.strings(List.of(""));
        }
        List<String> parts = new ArrayList<>();
        int begin = 0;
        int end = 0;
        for (int[] match : search.findAll(limit)) {
            if (limit > 0 && parts.size() == limit - 1) {
                break;
            }
            end = match[0];
            // An empty match at the very start splits nothing off.
            if (match[1] != 0) {
                parts.add(text.substring(begin, end));
            }
            begin = match[1];
        }
        if (end != text.length()) {
            parts.add(text.substring(begin));
        }
        return Strings.strings(parts);
    }

    /** Replaces all matches by the third argument; with {@code expand} {@code $1} and <code>${name}</code> in it mean groups. */
    private static GoValue replaceAll(FunctionCall call, boolean expand) throws GoCallException {
        Search search = new Search(call);
        String text = call.text(1);
        StringBuilder result = new StringBuilder();
        int position = 0;
        for (int[] match : search.findAll(-1)) {
            int before = result.length();
            result.append(text, position, match[0]);
            if (expand) {
                search.expand(call.text(2), match, result);
            } else {
                result.append(call.text(2));
            }
            call.chargeText(result.length() - before);
            position = match[1];
        }
        return GoString.ofBytes(result.append(text, position, text.length()).toString());
    }

    /** Compiles the first argument, which is charged for the size of its program. */
    private static Pattern compile(FunctionCall call) throws GoCallException {
        String bytes = call.text(0);
        if (bytes.length() > LONGEST_PATTERN) {
            throw unsupported(bytes.substring(0, 20) + "...", "it is longer than " + LONGEST_PATTERN + " bytes");
        }
        if (!Utf8Runes.isValid(bytes)) {
            throw new GoCallException("error parsing regexp: invalid UTF-8");
        }
        String source = GoString.text(bytes);
        long size = RegexSize.measure(source);
        if (size > MAX_SIZE) {
            throw tooLarge();
        }
        call.charge(size);
        try {
            return Pattern.compile(source);
        } catch (PatternSyntaxException invalid) {
            String part = invalid.getPattern() == null ? "" : invalid.getPattern();
            // Go reads these: classes by long names, groups of the same name, and braces that are no repetition.
            boolean onlyHere = part.startsWith("\\p")
                    || part.startsWith("\\P")
                    || part.startsWith("{")
                    || invalid.getDescription().startsWith("duplicate");
            if (onlyHere) {
                throw unsupported(bytes, invalid.getDescription());
            }
            throw new GoCallException(
                    "error parsing regexp: " + invalid.getDescription() + ": `" + GoString.bytes(part) + "`");
        } catch (StackOverflowError deep) {
            throw tooLarge();
        }
    }

    private static GoCallException unsupported(String pattern, String reason) {
        return GoCallException.unsupported("the regular expression `" + pattern + "`", reason);
    }

    private static LimitExceededException tooLarge() {
        return new LimitExceededException("a regular expression with too many parts");
    }

    /**
     * A search in one text. A match is an array: group i is from byte {@code match[2 * i]} to {@code match[2 * i + 1]}, -1 if it is
     * unused. The library works on characters, so positions are translated where the text is not ASCII.
     */
    private static final class Search {
        /** Moves of the matching machine per step. */
        private static final int MOVES_PER_STEP = 16;

        /** A search rarely reads all of the rest, so each but the first is charged only this fraction. */
        private static final int USUAL_SHARE = 64;

        private static final int LONGEST_NUMBER = 8;

        private final FunctionCall call;
        private final String bytes;
        private final Pattern pattern;
        private final Matcher matcher;
        private final int length;
        /** The position in bytes of each character; empty for a text of ASCII. */
        private final int[] offsets;

        private Search(FunctionCall call) throws GoCallException {
            this.call = call;
            this.pattern = compile(call);
            this.bytes = call.text(1);
            call.charge(1 + moves(bytes.length()));
            String text = bytes;
            if (bytes.chars().allMatch(c -> c < 0x80)) {
                offsets = new int[0];
            } else {
                call.environment().charge(bytes.length(), 6L * bytes.length());
                offsets = new int[bytes.length() + 1];
                text = characters();
            }
            this.matcher = pattern.matcher(text);
            this.length = text.length();
        }

        private long moves(int chars) {
            return (long) chars * pattern.programSize() / MOVES_PER_STEP;
        }

        private String characters() {
            StringBuilder text = new StringBuilder(bytes.length());
            for (int i = 0; i < bytes.length(); i += Utf8Runes.sizeAt(bytes, i)) {
                offsets[text.length()] = i;
                text.appendCodePoint(Utf8Runes.at(bytes, i));
            }
            offsets[text.length()] = bytes.length();
            return text.toString();
        }

        private boolean find(int from) {
            call.charge(4 + moves(length - from) / USUAL_SHARE);
            try {
                return matcher.find(from);
            } catch (StackOverflowError deep) {
                throw tooLarge();
            }
        }

        /** All matches, at most {@code limit} unless negative. An empty match directly after another is ignored. */
        private List<int[]> findAll(long limit) {
            List<int[]> matches = new ArrayList<>();
            int position = 0;
            int lastEnd = -1;
            while (position <= length && (limit < 0 || matches.size() < limit) && find(position)) {
                int end = matcher.end();
                if (end > matcher.start() || end != lastEnd) {
                    call.chargeSlots(1L + matcher.groupCount());
                    matches.add(match());
                }
                lastEnd = end;
                position = end > position ? end : position + characterLength(position);
            }
            return matches;
        }

        private int characterLength(int position) {
            boolean ascii = offsets.length == 0 || position >= length;
            return ascii ? 1 : Character.charCount(Utf8Runes.at(bytes, offsets[position]));
        }

        private int[] match() {
            int[] match = new int[2 * (matcher.groupCount() + 1)];
            for (int i = 0; i < match.length / 2; i++) {
                match[2 * i] = offset(matcher.start(i));
                match[2 * i + 1] = offset(matcher.end(i));
            }
            return match;
        }

        private int offset(int position) {
            return position < 0 || offsets.length == 0 ? position : offsets[position];
        }

        /** The text of a group; empty for one that is unused or unknown. */
        private String group(int[] match, int group) {
            boolean used = group >= 0 && 2 * group < match.length && match[2 * group] >= 0;
            return used ? bytes.substring(match[2 * group], match[2 * group + 1]) : "";
        }

        /** Appends a replacement with the groups that it names. */
        private void expand(String template, int[] match, StringBuilder result) {
            int position = 0;
            for (int dollar = template.indexOf('$'); dollar >= 0; dollar = template.indexOf('$', position)) {
                result.append(template, position, dollar);
                position = dollar + 1;
                boolean brace = template.startsWith("{", position);
                int start = brace ? position + 1 : position;
                int end = nameEnd(template, start);
                if (template.startsWith("$", position)) {
                    result.append('$');
                    position++;
                } else if (end == start || brace && !template.startsWith("}", end)) {
                    result.append('$');
                } else {
                    String group = group(match, groupNumber(template.substring(start, end)));
                    call.chargeText(group.length());
                    result.append(group);
                    position = brace ? end + 1 : end;
                }
            }
            result.append(template, position, template.length());
        }

        /** Names are as long as possible: {@code $1x} is the group named {@code 1x}. */
        private static int nameEnd(String template, int start) {
            int end = start;
            while (end < template.length()
                    && (template.charAt(end) == '_' || Character.isLetterOrDigit(Utf8Runes.at(template, end)))) {
                end += Utf8Runes.sizeAt(template, end);
            }
            return end;
        }

        private int groupNumber(String name) {
            boolean isNumber = name.length() <= LONGEST_NUMBER
                    && (name.length() == 1 || name.charAt(0) != '0')
                    && name.chars().allMatch(c -> c >= '0' && c <= '9');
            return isNumber ? Integer.parseInt(name) : pattern.namedGroups().getOrDefault(GoString.text(name), -1);
        }
    }
}

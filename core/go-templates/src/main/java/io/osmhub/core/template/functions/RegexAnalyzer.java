package io.osmhub.core.template.functions;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Analyzes a regular expression before it is compiled: the size of its program, its groups, and Go's limits on repetition and
 * nesting, which the Java library lacks. The compiler reports other errors.
 */
final class RegexAnalyzer {
    /**
     * @param pattern the expression; rewritten where Go supports it and the Java library does not: of groups with the same name,
     *     all but the first are renamed
     * @param names of the groups, from group 0 on; may be empty texts
     * @param size of the compiled program, roughly
     * @param problem why the expression is rejected after the content of {@code pattern}; null if none is known
     */
    record Result(
            String pattern,
            List<String> names,
            long size,
            @Nullable String problem) {}

    private static final class RejectedRegexException extends Exception {
        private static final long serialVersionUID = 1L;

        private RejectedRegexException(String problem) {
            super(problem, null, false, false);
        }
    }

    private static final int MAX_REPEAT = 1000;
    private static final int MAX_DEPTH = 1000;

    /** A group, or the whole: the largest product of counts of nested repetitions, and sizes. */
    private static final class Level {
        private long repeats = 1;
        private long size;
        private long lastRepeats = 1;
        private long lastSize;

        void atom(long atomRepeats, long atomSize) {
            finish();
            lastRepeats = atomRepeats;
            lastSize = atomSize;
        }

        void finish() {
            repeats = Math.max(repeats, lastRepeats);
            size += lastSize;
            lastRepeats = 1;
            lastSize = 0;
        }
    }

    private final String source;
    private final StringBuilder pattern;
    private final List<String> names = new ArrayList<>(List.of(""));
    private final Set<String> seen = new HashSet<>();
    private final Deque<Level> levels = new ArrayDeque<>();
    private int position;
    private boolean afterRepetition;

    private RegexAnalyzer(String source) {
        this.source = source;
        this.pattern = new StringBuilder(source.length());
    }

    static Result scan(String source) {
        RegexAnalyzer scan = new RegexAnalyzer(source);
        scan.levels.push(new Level());
        String problem = null;
        try {
            while (scan.position < source.length()) {
                scan.step();
            }
        } catch (RejectedRegexException refused) {
            problem = refused.getMessage();
        }
        while (scan.levels.size() > 1) {
            scan.close();
        }
        Level whole = scan.levels.element();
        whole.finish();
        return new Result(scan.pattern.toString(), List.copyOf(scan.names), whole.size, problem);
    }

    private void step() throws RejectedRegexException {
        int start = position;
        char first = source.charAt(position);
        switch (first) {
            case '\\' -> escape();
            case '[' -> characterClass();
            case '(' -> open();
            case ')' -> {
                take(position + 1);
                close();
            }
            case '{' -> repeat();
            case '*', '+', '?', '|' -> {
                level().lastSize++;
                take(position + 1);
            }
            default -> {
                level().atom(1, 1);
                take(position + 1);
            }
        }
        afterRepetition = "*+?".indexOf(first) >= 0 || (first == '{' && position > start + 1);
    }

    private Level level() {
        return levels.element();
    }

    /** Copies the source up to that position. */
    private void take(int end) {
        int bounded = Math.min(end, source.length());
        pattern.append(source, position, bounded);
        position = bounded;
    }

    private void escape() throws RejectedRegexException {
        if (source.startsWith("\\Q", position)) {
            int end = source.indexOf("\\E", position + 2);
            int literalEnd = end < 0 ? source.length() : end;
            level().atom(1, Math.max(0, literalEnd - position - 2));
            take(end < 0 ? literalEnd : end + 2);
        } else {
            checkEscape(position);
            level().atom(1, 1);
            takeEscape(position, false);
        }
    }

    /** Copies the source up to the escape, and the escape with the braces of a class's name or of a code point. */
    private void takeEscape(int at, boolean bracketed) {
        take(at);
        int end = Math.min(at + 2, source.length());
        char sign = source.charAt(end - 1);
        boolean isClass = sign == 'p' || sign == 'P';
        if ((isClass || sign == 'x') && source.startsWith("{", end)) {
            int close = source.indexOf('}', end);
            if (close < 0) {
                // Only the opening brace: the compiler reports errors.
                take(end + 1);
                return;
            }
            end = close + 1;
        } else if (isClass) {
            end = Math.min(end + 1, source.length());
        }
        String rewritten = isClass ? RegexClassNames.rewritten(source.substring(at, end), bracketed) : null;
        if (rewritten == null) {
            take(end);
        } else {
            pattern.append(rewritten);
            position = end;
        }
    }

    /** Only ASCII signs may be escaped. */
    private void checkEscape(int at) throws RejectedRegexException {
        if (at + 1 < source.length() && source.charAt(at + 1) >= 0x80) {
            String escape = source.substring(at, source.offsetByCodePoints(at, 2));
            throw new RejectedRegexException("invalid escape sequence: `" + GoString.bytes(escape) + "`");
        }
    }

    private void characterClass() throws RejectedRegexException {
        int at = position + 1;
        at += at < source.length() && source.charAt(at) == '^' ? 1 : 0;
        at += at < source.length() && source.charAt(at) == ']' ? 1 : 0;
        while (at < source.length() && source.charAt(at) != ']') {
            if (source.charAt(at) == '\\') {
                checkEscape(at);
                takeEscape(at, true);
                at = position;
                continue;
            }
            int named = source.startsWith("[:", at) ? source.indexOf(":]", at + 2) : -1;
            at = named >= 0 ? named + 2 : at + 1;
        }
        level().atom(1, 1);
        take(at + 1);
    }

    private void open() throws RejectedRegexException {
        int flagsEnd = flagsEnd();
        if (source.startsWith(")", flagsEnd)) {
            // Only sets flags: the next part still applies to the previous one.
            take(flagsEnd + 1);
            return;
        }
        if (levels.size() > MAX_DEPTH) {
            throw new RejectedRegexException("expression nests too deeply: `" + GoString.bytes(source) + "`");
        }
        levels.push(new Level());
        int nameStart = source.startsWith("(?P<", position) ? position + 4 : position + 3;
        if (nameStart == position + 4 || source.startsWith("(?<", position)) {
            int nameEnd = source.indexOf('>', nameStart);
            String name = nameEnd < 0 ? "" : source.substring(nameStart, nameEnd);
            names.add(name);
            take(nameStart);
            if (!name.isEmpty() && !seen.add(name)) {
                pattern.append(name).append("_again").append(names.size());
                position = nameEnd;
            }
            return;
        }
        if (!source.startsWith("(?", position)) {
            names.add("");
        }
        take(position + 1);
        // The marker of a non-capturing group is not a repetition.
        take(position + (source.startsWith("?", position) ? 1 : 0));
    }

    /** Position after the flags of a group; its start if it has none. */
    private int flagsEnd() {
        if (!source.startsWith("(?", position)) {
            return position;
        }
        int end = position + 2;
        while (end < source.length() && "imsU-".indexOf(source.charAt(end)) >= 0) {
            end++;
        }
        return end;
    }

    private void close() {
        if (levels.size() > 1) {
            Level closed = levels.pop();
            closed.finish();
            level().atom(closed.repeats, closed.size + 2);
        }
    }

    /** A count in braces; other braces are text. */
    private void repeat() throws RejectedRegexException {
        int end = source.indexOf('}', position);
        String inside = end < 0 ? "" : source.substring(position + 1, end);
        int comma = inside.indexOf(',');
        int min = count(comma < 0 ? inside : inside.substring(0, comma));
        boolean open = comma >= 0 && comma == inside.length() - 1;
        int max = comma < 0 ? min : open ? -1 : count(inside.substring(comma + 1));
        if (min < 0 || (max < 0 && !open)) {
            level().atom(1, 1);
            // Explicit, as the Java library would parse a following repetition as a second one.
            pattern.append('\\');
            take(position + 1);
            return;
        }
        // The compiler rejects a repetition of a repetition and counts that are too large.
        if (afterRepetition || min > MAX_REPEAT || max > MAX_REPEAT) {
            take(end + 1);
            return;
        }
        int after = source.startsWith("?", end + 1) ? end + 2 : end + 1;
        Level level = level();
        int times = max < 0 ? min : max;
        level.lastRepeats = max == 0 ? 1 : level.lastRepeats * Math.max(times, 1);
        level.lastSize = (level.lastSize + 1) * Math.max(times, 1);
        if ((min >= 2 || max >= 2) && level.lastRepeats > MAX_REPEAT) {
            throw new RejectedRegexException("invalid repeat count: `" + source.substring(position, after) + "`");
        }
        take(after);
    }

    /** The number, or -1; numbers too large for any repetition are reduced to one that is still too large. */
    private static int count(String digits) {
        if (digits.isEmpty() || (digits.length() > 1 && digits.charAt(0) == '0')) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = Math.min(value * 10 + (c - '0'), 100 * MAX_REPEAT);
        }
        return value;
    }

    /**
     * Unicode classes such as {@code \p{Letter}} under all names that Go accepts: in any case, with blanks, hyphens and underscores
     * anywhere, long or short. The Java library supports only the exact short names.
     */
    private static final class RegexClassNames {
        private static final Map<String, String> SHORT_NAMES = shortNames(
                "C Other, Cc Control, Cc cntrl, Cf Format, Co Private_Use, Cs Surrogate, Cn Unassigned, L Letter,"
                        + " Lc Cased_Letter, Ll Lowercase_Letter, Lm Modifier_Letter, Lo Other_Letter, Lt Titlecase_Letter,"
                        + " Lu Uppercase_Letter, M Mark, M Combining_Mark, Mc Spacing_Mark, Me Enclosing_Mark,"
                        + " Mn Nonspacing_Mark, N Number, Nd Decimal_Number, Nd digit, Nl Letter_Number, No Other_Number,"
                        + " P Punctuation, P punct, Pc Connector_Punctuation, Pd Dash_Punctuation, Pe Close_Punctuation,"
                        + " Pf Final_Punctuation, Pi Initial_Punctuation, Po Other_Punctuation, Ps Open_Punctuation,"
                        + " S Symbol, Sc Currency_Symbol, Sk Modifier_Symbol, Sm Math_Symbol, So Other_Symbol,"
                        + " Z Separator, Zl Line_Separator, Zp Paragraph_Separator, Zs Space_Separator");

        private static final String CASED = "\\p{Lu}\\p{Ll}\\p{Lt}";
        private static final String ASSIGNED = "\\pL\\pM\\pN\\pP\\pS\\pZ\\pC";

        private static Map<String, String> shortNames(String pairs) {
            Map<String, String> names = new HashMap<>();
            for (String pair : pairs.split(", ?")) {
                int blank = pair.indexOf(' ');
                names.put(canonical(pair.substring(blank + 1)), pair.substring(0, blank));
            }
            return Map.copyOf(names);
        }

        /**
         * The escape for the library; null if it can stay, or if it is unknown.
         *
         * @param escape for example {@code \p{Letter}}, {@code \P{^greek}} or {@code \pl}
         * @param bracketed whether it is inside brackets
         */
        static @Nullable String rewritten(String escape, boolean bracketed) {
            boolean braces = escape.endsWith("}");
            String name = escape.substring(braces ? 3 : 2, escape.length() - (braces ? 1 : 0));
            boolean negative = escape.charAt(1) == 'P';
            if (name.startsWith("^") && braces) {
                negative = !negative;
                name = name.substring(1);
            }
            String canonical = canonical(name);
            String known = SHORT_NAMES.getOrDefault(canonical, canonical);
            return switch (known) {
                case "Ascii" -> ranges(negative ? "\\x{80}-\\x{10FFFF}" : "\\x00-\\x7F", false, bracketed);
                case "Lc" -> ranges(CASED, negative, bracketed);
                case "Assigned" -> ranges(ASSIGNED, negative, bracketed);
                case "Cn" -> ranges(ASSIGNED, !negative, bracketed);
                default -> known.equals(name) || !isKnown(known) ? null : (negative ? "\\P{" : "\\p{") + known + "}";
            };
        }

        private static @Nullable String ranges(String ranges, boolean negative, boolean bracketed) {
            if (bracketed) {
                return negative ? null : ranges;
            }
            return (negative ? "[^" : "[") + ranges + "]";
        }

        private static String canonical(String name) {
            String word = name.replaceAll("[_ -]", "");
            return word.isEmpty()
                    ? word
                    : word.substring(0, 1).toUpperCase(Locale.ROOT)
                            + word.substring(1).toLowerCase(Locale.ROOT);
        }

        private static boolean isKnown(String name) {
            try {
                Pattern.compile("\\p{" + name + "}");
                return true;
            } catch (PatternSyntaxException unknown) {
                return false;
            }
        }
    }
}

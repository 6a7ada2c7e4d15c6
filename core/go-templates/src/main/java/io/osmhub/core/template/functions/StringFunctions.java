package io.osmhub.core.template.functions;

import static io.osmhub.core.template.functions.SprigArguments.bytes;
import static io.osmhub.core.template.functions.SprigArguments.integer;
import static io.osmhub.core.template.functions.SprigArguments.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8Runes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;

/** Functions from text to text: trimming, cutting, padding, quoting, replacing; also case, words, wrapping, and texts to lists and back. */
final class StringFunctions {
    private static final String TEXT_TO_TEXT = "func(string) string";
    private static final int LOOK_UPS_PER_STEP = 64;
    private static final String TWO_TEXTS_TO_TEXT = "func(string, string) string";

    private static final String MARKER = "...";

    private static final GoType STRING_MAP = GoType.mapOf(GoType.STRING, GoType.STRING);

    private StringFunctions() {}

    static void addTo(FunctionRegistry.Builder registry) {
        registry.addCode("hello", "func() string", (environment, arguments) -> GoString.of("Hello!"));

        ofOne(registry, "trim", Runes::trimSpace);
        for (String name : List.of("trimAll", "trimall")) {
            registry.addCode(name, TWO_TEXTS_TO_TEXT, (environment, arguments) -> {
                String cutset = bytes(arguments, 0);
                String subject = bytes(arguments, 1);
                environment.charge(1 + (long) cutset.length() * subject.length() / LOOK_UPS_PER_STEP, 0);
                return text(environment, Runes.trim(subject, cutset));
            });
        }
        ofTwo(
                registry,
                "trimPrefix",
                (prefix, subject) -> subject.startsWith(prefix) ? subject.substring(prefix.length()) : subject);
        ofTwo(
                registry,
                "trimSuffix",
                (suffix, subject) ->
                        subject.endsWith(suffix) ? subject.substring(0, subject.length() - suffix.length()) : subject);

        test(registry, "contains", (needle, subject) -> subject.contains(needle));
        test(registry, "hasPrefix", (prefix, subject) -> subject.startsWith(prefix));
        test(registry, "hasSuffix", (suffix, subject) -> subject.endsWith(suffix));

        registry.addCode("trunc", "func(int, string) string", StringFunctions::trunc);
        registry.addCode("substr", "func(int, int, string) string", StringFunctions::substr);
        registry.addCode("repeat", "func(int, string) string", StringFunctions::repeat);
        registry.addCode("replace", "func(string, string, string) string", StringFunctions::replace);
        registry.addCode(
                "indent",
                "func(int, string) string",
                (environment, arguments) -> GoString.ofBytes(indented(environment, "", arguments)));
        registry.addCode(
                "nindent",
                "func(int, string) string",
                (environment, arguments) -> GoString.ofBytes(indented(environment, "\n", arguments)));

        registry.addCode("quote", "func(...interface {}) string", StringFunctions::quote);
        registry.addCode("squote", "func(...interface {}) string", StringFunctions::squote);
        registry.addCode("cat", "func(...interface {}) string", StringFunctions::cat);
        registry.addCode(
                "toString",
                "func(interface {}) string",
                (environment, arguments) -> GoString.ofBytes(TextConversion.toText(environment, arguments.getFirst())));
        registry.addCode(
                "plural",
                "func(string, string, int) string",
                (environment, arguments) -> arguments.get(integer(arguments, 2) == 1 ? 0 : 1));

        // Upper and lower case, and the first letters of words.
        StringFunctions.ofOne(registry, "upper", bytes -> Runes.map(bytes, Character::toUpperCase));
        StringFunctions.ofOne(registry, "lower", bytes -> Runes.map(bytes, Character::toLowerCase));
        StringFunctions.ofOne(registry, "title", StringFunctions::title);
        StringFunctions.ofOne(registry, "untitle", StringFunctions::untitle);
        StringFunctions.ofOne(registry, "swapcase", StringFunctions::swapCase);
        StringFunctions.ofOne(registry, "initials", StringFunctions::initials);
        StringFunctions.ofOne(registry, "nospace", StringFunctions::withoutSpace);
        registry.addCode(

                // Widths count bytes.
                "wrap",
                "func(int, string) string",
                (environment, arguments) ->
                        wrapped(environment, bytes(arguments, 1), integer(arguments, 0), "\n", false));
        registry.addCode(
                "wrapWith",
                "func(int, string, string) string",
                (environment, arguments) -> wrapped(
                        environment,
                        bytes(arguments, 2),
                        integer(arguments, 0),
                        bytes(arguments, 1).isEmpty() ? "\n" : bytes(arguments, 1),
                        true));
        registry.addCode(
                "abbrev",
                "func(int, string) string",
                (environment, arguments) ->
                        text(environment, abbreviated(bytes(arguments, 1), 0, integer(arguments, 0))));
        registry.addCode("abbrevboth", "func(int, int, string) string", StringFunctions::abbrevBoth);
        registry.addCode("join", "func(string, interface {}) string", StringFunctions::join);
        registry.addCode(
                "toStrings",
                "func(interface {}) []string",
                (environment, arguments) -> asStrings(environment, arguments.getFirst()));
        registry.addCode("sortAlpha", "func(interface {}) []string", StringFunctions::sortAlpha);
        registry.addCode(
                "splitList",
                "func(string, string) []string",
                (environment, arguments) -> split(environment, bytes(arguments, 1), bytes(arguments, 0), -1));
        registry.addCode(
                "split",
                "func(string, string) map[string]string",
                (environment, arguments) ->
                        numbered(environment, split(environment, bytes(arguments, 1), bytes(arguments, 0), -1)));
        registry.addCode(
                "splitn",
                "func(string, int, string) map[string]string",
                (environment, arguments) -> numbered(
                        environment,
                        split(environment, bytes(arguments, 2), bytes(arguments, 0), integer(arguments, 1))));
    }

    /** A function of one text, charged by the length of its argument and result. */
    static void ofOne(FunctionRegistry.Builder registry, String name, UnaryOperator<String> change) {
        registry.addCode(name, TEXT_TO_TEXT, (environment, arguments) -> {
            String subject = bytes(arguments, 0);
            SprigArguments.chargeReading(environment, subject.length());
            return text(environment, change.apply(subject));
        });
    }

    private static void ofTwo(
            FunctionRegistry.Builder registry, String name, BiFunction<String, String, String> change) {
        registry.addCode(name, TWO_TEXTS_TO_TEXT, (environment, arguments) -> {
            String subject = bytes(arguments, 1);
            SprigArguments.chargeSearch(environment, subject, bytes(arguments, 0));
            return text(environment, change.apply(bytes(arguments, 0), subject));
        });
    }

    private static void test(FunctionRegistry.Builder registry, String name, BiPredicate<String, String> check) {
        registry.addCode(name, "func(string, string) bool", (environment, arguments) -> {
            String subject = bytes(arguments, 1);
            SprigArguments.chargeSearch(environment, subject, bytes(arguments, 0));
            return GoBool.of(check.test(bytes(arguments, 0), subject));
        });
    }

    // A negative count keeps the tail; a count beyond the text keeps all of it.
    private static GoValue trunc(ExecutionEnvironment environment, List<GoValue> arguments) {
        long count = integer(arguments, 0);
        String subject = bytes(arguments, 1);
        int length = subject.length();
        if (count < 0 && length + count > 0) {
            return text(environment, subject.substring((int) (length + count)));
        }
        return count >= 0 && count < length
                ? text(environment, subject.substring(0, (int) count))
                : GoString.ofBytes(subject);
    }

    private static GoValue substr(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        long start = integer(arguments, 0);
        long end = integer(arguments, 1);
        String subject = bytes(arguments, 2);
        int length = subject.length();
        if (start < 0) {
            return text(environment, slice(subject, 0, end, "[:" + end + "]"));
        }
        if (end < 0 || end > length) {
            return text(environment, slice(subject, start, length, "[" + start + ":" + length + "]"));
        }
        return text(environment, slice(subject, start, end, "[" + start + ":" + end + "]"));
    }

    private static String slice(String subject, long start, long end, String bounds) throws GoCallException {
        if (end > subject.length()) {
            throw new GoCallException(
                    "runtime error: slice bounds out of range [:" + end + "] with length " + subject.length());
        }
        if (end < 0 || start > end) {
            throw new GoCallException("runtime error: slice bounds out of range " + bounds);
        }
        return subject.substring((int) start, (int) end);
    }

    private static GoValue repeat(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        return GoString.ofBytes(repeated(environment, bytes(arguments, 1), integer(arguments, 0)));
    }

    /** The text {@code count} times; charged before it is made. */
    private static String repeated(ExecutionEnvironment environment, String subject, long count)
            throws GoCallException {
        if (count < 0) {
            throw new GoCallException("strings: negative Repeat count");
        }
        if (subject.isEmpty() || count == 0) {
            return "";
        }
        if (count > Long.MAX_VALUE / subject.length()) {
            throw new GoCallException("strings: Repeat output length overflow");
        }
        SprigArguments.chargeText(environment, count * subject.length());
        return subject.repeat(Math.toIntExact(count));
    }

    private static GoValue replace(ExecutionEnvironment environment, List<GoValue> arguments) {
        String old = bytes(arguments, 0);
        String by = bytes(arguments, 1);
        String subject = bytes(arguments, 2);
        SprigArguments.chargeSearch(environment, subject, old);
        if (old.isEmpty()) {
            return GoString.ofBytes(interspersed(environment, subject, by));
        }
        int first = subject.indexOf(old);
        if (first < 0) {
            return GoString.ofBytes(subject);
        }
        long count = occurrences(subject, old, first);
        SprigArguments.chargeText(environment, subject.length() + count * (by.length() - old.length()));
        StringBuilder replaced = new StringBuilder();
        int position = 0;
        for (int at = first; at >= 0; at = subject.indexOf(old, position)) {
            replaced.append(subject, position, at).append(by);
            position = at + old.length();
        }
        return GoString.ofBytes(
                replaced.append(subject, position, subject.length()).toString());
    }

    private static long occurrences(String subject, String needle, int first) {
        long count = 0;
        for (int at = first; at >= 0; at = subject.indexOf(needle, at + needle.length())) {
            count++;
        }
        return count;
    }

    /** An empty text is found before each character and at the end. */
    private static String interspersed(ExecutionEnvironment environment, String subject, String by) {
        SprigArguments.chargeText(environment, subject.length() + (Utf8Runes.count(subject) + 1L) * by.length());
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < subject.length(); ) {
            int end = i + Runes.sizeAt(subject, i);
            result.append(by).append(subject, i, end);
            i = end;
        }
        return result.append(by).toString();
    }

    private static String indented(ExecutionEnvironment environment, String before, List<GoValue> arguments)
            throws GoCallException {
        long width = integer(arguments, 0);
        String subject = bytes(arguments, 1);
        if (width < 0) {
            throw new GoCallException("strings: negative Repeat count");
        }
        long lines = subject.chars().filter(c -> c == '\n').count() + 1;
        if (width > Integer.MAX_VALUE) {
            SprigArguments.chargeText(environment, width);
            throw new GoCallException("runtime error: makeslice: len out of range");
        }
        SprigArguments.chargeText(environment, before.length() + subject.length() + width * lines);
        String padding = " ".repeat((int) width);
        StringBuilder result = new StringBuilder(before).append(padding);
        int position = 0;
        for (int end = subject.indexOf('\n'); end >= 0; end = subject.indexOf('\n', position)) {
            result.append(subject, position, end + 1).append(padding);
            position = end + 1;
        }
        return result.append(subject, position, subject.length()).toString();
    }

    private static GoValue quote(ExecutionEnvironment environment, List<GoValue> arguments) {
        StringBuilder quoted = new StringBuilder();
        for (GoValue argument : arguments) {
            if (!(argument instanceof GoNil)) {
                String plain = TextConversion.toText(environment, argument);
                SprigArguments.chargeText(environment, plain.length());
                quoted.append(quoted.isEmpty() ? "" : " ").append(GoQuote.quote(plain));
            }
        }
        return text(environment, quoted.toString());
    }

    private static GoValue squote(ExecutionEnvironment environment, List<GoValue> arguments) {
        StringBuilder quoted = new StringBuilder();
        for (GoValue argument : arguments) {
            if (!(argument instanceof GoNil)) {
                quoted.append(quoted.isEmpty() ? "'" : " '");
                quoted.append(TextConversion.print(environment, argument)).append('\'');
            }
        }
        return text(environment, quoted.toString());
    }

    private static GoValue cat(ExecutionEnvironment environment, List<GoValue> arguments) {
        StringBuilder joined = new StringBuilder();
        boolean first = true;
        for (GoValue argument : arguments) {
            if (!(argument instanceof GoNil)) {
                joined.append(first ? "" : " ").append(TextConversion.print(environment, argument));
                first = false;
            }
        }
        return text(environment, joined.toString());
    }

    private static String title(String bytes) {
        StringBuilder title = new StringBuilder(bytes.length());
        boolean afterSeparator = true;
        for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
            int rune = Runes.at(bytes, i);
            Utf8Runes.append(title, afterSeparator ? Character.toTitleCase(rune) : rune);
            afterSeparator = separates(rune);
        }
        return title.toString();
    }

    /** Whether a word begins after it: after any ASCII sign except the underscore, so that {@code it's} becomes {@code It'S}. */
    private static boolean separates(int rune) {
        if (rune < 0x80) {
            return !Character.isLetterOrDigit(rune) && rune != '_';
        }
        return !Character.isLetterOrDigit(rune) && Runes.isSpace(rune);
    }

    private static String untitle(String bytes) {
        StringBuilder changed = new StringBuilder(bytes.length());
        boolean atStart = true;
        for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
            int rune = Runes.at(bytes, i);
            Utf8Runes.append(changed, atStart ? Character.toLowerCase(rune) : rune);
            atStart = Runes.isSpace(rune);
        }
        return changed.toString();
    }

    private static String swapCase(String bytes) {
        StringBuilder swapped = new StringBuilder(bytes.length());
        boolean atStart = true;
        for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
            int rune = Runes.at(bytes, i);
            if (Runes.isUpper(rune) || Runes.isTitle(rune)) {
                Utf8Runes.append(swapped, Character.toLowerCase(rune));
                atStart = false;
            } else if (Runes.isLower(rune)) {
                Utf8Runes.append(swapped, atStart ? Character.toTitleCase(rune) : Character.toUpperCase(rune));
                atStart = false;
            } else {
                Utf8Runes.append(swapped, rune);
                atStart = Runes.isSpace(rune);
            }
        }
        return swapped.toString();
    }

    // As in the original, each byte is treated as a character, which garbles non-ASCII text.
    private static String initials(String bytes) {
        StringBuilder initials = new StringBuilder();
        boolean atStart = true;
        for (int i = 0; i < bytes.length(); i++) {
            boolean space = Runes.isSpace(bytes.charAt(i));
            if (!space && atStart) {
                Utf8Runes.append(initials, bytes.charAt(i));
            }
            atStart = space;
        }
        return initials.toString();
    }

    // Also by bytes, but only if there is something to remove.
    private static String withoutSpace(String bytes) {
        if (bytes.chars().noneMatch(Runes::isSpace)) {
            return bytes;
        }
        StringBuilder kept = new StringBuilder(bytes.length());
        bytes.chars().filter(c -> !Runes.isSpace(c)).forEach(c -> Utf8Runes.append(kept, c));
        return kept.toString();
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

    private static GoValue join(ExecutionEnvironment environment, List<GoValue> arguments) {
        String separator = bytes(arguments, 0);
        List<String> texts = TextConversion.toTexts(environment, arguments.get(1));
        long length = (long) separator.length() * texts.size();
        for (String text : texts) {
            length += text.length();
        }
        SprigArguments.chargeText(environment, length);
        return GoString.ofBytes(String.join(separator, texts));
    }

    private static GoSlice asStrings(ExecutionEnvironment environment, GoValue value) {
        return value instanceof GoSlice list && list.type().equals(GoType.STRINGS)
                ? list
                : SprigArguments.strings(environment, TextConversion.toTexts(environment, value));
    }

    // As in Go a []string is sorted in place, and all who hold it see that. One that its owner made unmodifiable is
    // copied.
    private static GoValue sortAlpha(ExecutionEnvironment environment, List<GoValue> arguments) {
        GoValue value = arguments.getFirst();
        GoSlice list = value instanceof GoSlice
                ? asStrings(environment, value)
                : SprigArguments.strings(environment, List.of(TextConversion.toText(environment, value)));
        int length = list.length();
        environment.charge((long) length * (1 + Integer.numberOfTrailingZeros(Integer.highestOneBit(length + 1))), 0);
        Comparator<GoValue> byBytes = Comparator.comparing(element -> ((GoString) element).bytes());
        if (list.items() instanceof ArrayList<GoValue> items) {
            items.sort(byBytes);
            return list;
        }
        SprigArguments.chargeSlots(environment, length);
        List<GoValue> items = new ArrayList<>(list.elements());
        items.sort(byBytes);
        return new GoSlice(GoType.STRINGS, items);
    }

    /** At most {@code limit} parts, all when it is negative; an empty separator separates characters. */
    private static GoSlice split(ExecutionEnvironment environment, String subject, String separator, long limit) {
        SprigArguments.chargeSearch(environment, subject, separator);
        if (limit == 0) {
            return new GoSlice(GoType.STRINGS, null);
        }
        List<String> parts = new ArrayList<>();
        int position = 0;
        while (limit < 0 || parts.size() < limit - 1) {
            int end = separator.isEmpty() ? characterEnd(subject, position) : subject.indexOf(separator, position);
            if (end < 0 || (separator.isEmpty() && end == subject.length())) {
                break;
            }
            environment.charge(1, SprigArguments.SLOT_BYTES);
            parts.add(subject.substring(position, end));
            position = end + separator.length();
        }
        if (!separator.isEmpty() || position < subject.length()) {
            parts.add(subject.substring(position));
        }
        return SprigArguments.strings(environment, parts);
    }

    private static int characterEnd(String subject, int start) {
        return start == subject.length() ? -1 : start + Runes.sizeAt(subject, start);
    }

    /** The parts under the keys {@code _0}, {@code _1} and so on. */
    private static GoValue numbered(ExecutionEnvironment environment, GoSlice parts) {
        SprigArguments.chargeSlots(environment, 2L * parts.length());
        Map<GoValue, GoValue> map = HashMap.newHashMap(parts.length());
        int index = 0;
        for (GoValue part : parts.elements()) {
            map.put(GoString.ofBytes("_" + index), part);
            index++;
        }
        return new GoMap(STRING_MAP, map);
    }
}

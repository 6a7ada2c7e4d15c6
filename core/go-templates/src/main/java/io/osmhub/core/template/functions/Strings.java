package io.osmhub.core.template.functions;

import static io.osmhub.core.golang.GoType.ANY;
import static io.osmhub.core.golang.GoType.INT;
import static io.osmhub.core.golang.GoType.STRING;
import static io.osmhub.core.golang.GoType.STRINGS;
import static io.osmhub.core.golang.GoType.function;
import static io.osmhub.core.golang.GoType.variadic;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
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
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/** Functions of texts, and from texts to lists of texts and back. Positions and widths count bytes. */
final class Strings {
    private static final GoType OF_NUMBER_AND_TEXT = function(STRING, INT, STRING);
    private static final GoType OF_VALUES = variadic(STRING, ANY);
    private static final GoType STRING_MAP = GoType.mapOf(STRING, STRING);
    private static final String DOTS = "...";

    private Strings() {}

    static void addTo(FunctionRegistry.Builder functions) {
        functions.add("hello", function(STRING), call -> GoString.of("Hello!"));
        functions.text("trim", Utf8Runes::trimSpace);
        functions.text("trimAll", (cutset, text) -> Utf8Runes.trim(text, cutset));
        functions.text("trimall", (cutset, text) -> Utf8Runes.trim(text, cutset));
        functions.text(
                "trimPrefix", (prefix, text) -> text.startsWith(prefix) ? text.substring(prefix.length()) : text);
        functions.text(
                "trimSuffix",
                (suffix, text) -> text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text);
        functions.test("contains", (part, text) -> text.contains(part));
        functions.test("hasPrefix", (prefix, text) -> text.startsWith(prefix));
        functions.test("hasSuffix", (suffix, text) -> text.endsWith(suffix));
        addCases(functions);

        functions.add("trunc", OF_NUMBER_AND_TEXT, call -> truncated(call.text(1), call.integer(0)));
        functions.add(
                "substr",
                function(STRING, INT, INT, STRING),
                call -> substring(call.text(2), call.integer(0), call.integer(1)));
        functions.add("abbrev", OF_NUMBER_AND_TEXT, call -> abbreviated(call.text(1), 0, call.integer(0)));
        functions.add(
                "abbrevboth",
                function(STRING, INT, INT, STRING),
                call -> call.integer(0) > 0 && call.integer(1) < 7
                        ? call.value(2)
                        : abbreviated(call.text(2), call.integer(0), call.integer(1)));
        functions.add("wrap", OF_NUMBER_AND_TEXT, call -> wrapped(call, call.text(1), "\n", false));
        functions.add(
                "wrapWith",
                function(STRING, INT, STRING, STRING),
                call -> wrapped(call, call.text(2), call.text(1).isEmpty() ? "\n" : call.text(1), true));
        functions.add("repeat", OF_NUMBER_AND_TEXT, Strings::repeated);
        functions.add("indent", OF_NUMBER_AND_TEXT, call -> indented(call, ""));
        functions.add("nindent", OF_NUMBER_AND_TEXT, call -> indented(call, "\n"));
        functions.add("replace", function(STRING, STRING, STRING, STRING), Strings::replaced);
        functions.add(
                "plural", function(STRING, STRING, STRING, INT), call -> call.value(call.integer(2) == 1 ? 0 : 1));

        functions.add("quote", OF_VALUES, call -> joined(call, value -> GoQuote.quote(call.toText(value))));
        functions.add("squote", OF_VALUES, call -> joined(call, value -> "'" + call.print(value) + "'"));
        functions.add("cat", OF_VALUES, call -> joined(call, call::print));
        functions.add("toString", function(STRING, ANY), call -> GoString.ofBytes(call.toText(call.value(0))));
        functions.add("join", function(STRING, STRING, ANY), Strings::joinedList);
        functions.add("toStrings", function(STRINGS, ANY), Strings::toStrings);
        functions.add("sortAlpha", function(STRINGS, ANY), Strings::sorted);
        functions.add("splitList", function(STRINGS, STRING, STRING), call -> split(call, call.text(1), -1));
        functions.add("split", function(STRING_MAP, STRING, STRING), call -> numbered(split(call, call.text(1), -1)));
        functions.add(
                "splitn",
                function(STRING_MAP, STRING, INT, STRING),
                call -> numbered(split(call, call.text(2), call.integer(1))));
    }

    private static void addCases(FunctionRegistry.Builder functions) {
        functions.text("upper", text -> Utf8Runes.map(text, Character::toUpperCase));
        functions.text("lower", text -> Utf8Runes.map(text, Character::toLowerCase));
        functions.text("title", Strings::title);
        functions.text("untitle", text -> withFirstOfWords(text, Character::toLowerCase, Utf8Runes::isSpace));
        functions.text("swapcase", Strings::swapCase);
        functions.text("initials", Strings::initials);
        functions.text("nospace", Strings::withoutSpace);
    }

    /** A {@code []string}. */
    static GoSlice strings(List<String> texts) {
        List<GoValue> items = new ArrayList<>(texts.size());
        texts.forEach(text -> items.add(GoString.ofBytes(text)));
        return new GoSlice(STRINGS, items);
    }

    private static String title(String bytes) {
        // After any ASCII sign except the underscore, so that it's becomes It'S.
        return withFirstOfWords(bytes, Character::toTitleCase, rune -> {
            boolean sign = rune < 0x80 ? rune != '_' : Utf8Runes.isSpace(rune);
            return sign && !Character.isLetterOrDigit(rune);
        });
    }

    /** Changes the first character, and each after one that separates words. */
    private static String withFirstOfWords(String bytes, IntUnaryOperator change, IntPredicate separates) {
        StringBuilder changed = new StringBuilder(bytes.length());
        boolean atStart = true;
        for (int i = 0; i < bytes.length(); i += Utf8Runes.sizeAt(bytes, i)) {
            int rune = Utf8Runes.at(bytes, i);
            Utf8Runes.append(changed, atStart ? change.applyAsInt(rune) : rune);
            atStart = separates.test(rune);
        }
        return changed.toString();
    }

    private static String swapCase(String bytes) {
        StringBuilder swapped = new StringBuilder(bytes.length());
        boolean atStart = true;
        for (int i = 0; i < bytes.length(); i += Utf8Runes.sizeAt(bytes, i)) {
            int rune = Utf8Runes.at(bytes, i);
            boolean wasAtStart = atStart;
            atStart = false;
            switch (Character.getType(rune)) {
                case Character.UPPERCASE_LETTER, Character.TITLECASE_LETTER -> rune = Character.toLowerCase(rune);
                case Character.LOWERCASE_LETTER ->
                    rune = wasAtStart ? Character.toTitleCase(rune) : Character.toUpperCase(rune);
                default -> atStart = Utf8Runes.isSpace(rune);
            }
            Utf8Runes.append(swapped, rune);
        }
        return swapped.toString();
    }

    // As in sprig, each byte is treated as a character, which garbles non-ASCII text.
    private static String initials(String bytes) {
        StringBuilder initials = new StringBuilder();
        boolean atStart = true;
        for (int i = 0; i < bytes.length(); i++) {
            boolean space = Utf8Runes.isSpace(bytes.charAt(i));
            if (!space && atStart) {
                Utf8Runes.append(initials, bytes.charAt(i));
            }
            atStart = space;
        }
        return initials.toString();
    }

    // Also by bytes, but only if there is something to remove.
    private static String withoutSpace(String bytes) {
        if (bytes.chars().noneMatch(Utf8Runes::isSpace)) {
            return bytes;
        }
        StringBuilder kept = new StringBuilder(bytes.length());
        bytes.chars().filter(c -> !Utf8Runes.isSpace(c)).forEach(c -> Utf8Runes.append(kept, c));
        return kept.toString();
    }

    /** The first bytes, or with a negative count the last ones. */
    private static GoValue truncated(String text, long count) {
        int length = text.length();
        if (count < 0) {
            return GoString.ofBytes(length + count > 0 ? text.substring((int) (length + count)) : text);
        }
        return GoString.ofBytes(count < length ? text.substring(0, (int) count) : text);
    }

    private static GoValue substring(String text, long start, long end) throws GoCallException {
        long from = Math.max(start, 0);
        long to = start >= 0 && (end < 0 || end > text.length()) ? text.length() : end;
        if (to > text.length() || from > to) {
            throw new GoCallException(
                    "the part from " + start + " to " + end + " is outside of a text of " + text.length() + " bytes");
        }
        return GoString.ofBytes(text.substring((int) from, (int) to));
    }

    /** At most {@code width} bytes from about {@code offset} on; dots replace omitted text. */
    private static GoValue abbreviated(String text, long offset, long width) {
        if (width < 4 || text.length() <= width) {
            return GoString.ofBytes(text);
        }
        int room = (int) width - DOTS.length();
        int start = Math.clamp(offset, 0, text.length() - room);
        if (start <= 4) {
            return GoString.ofBytes(text.substring(0, room) + DOTS);
        }
        if (width < 7) {
            return GoString.EMPTY;
        }
        if (text.length() - start == room) {
            return GoString.ofBytes(DOTS + text.substring(start));
        }
        return GoString.ofBytes(
                DOTS + (room < 4 ? text.substring(start) : text.substring(start, start + room - 3) + DOTS));
    }

    /** Breaks at blanks; a word longer than a line is kept whole unless {@code breakWords}. The width is the first argument. */
    private static GoValue wrapped(FunctionCall call, String text, String lineEnd, boolean breakWords) {
        long line = Math.max(call.integer(0), 1);
        int length = text.length();
        // In the worst case there is a line break after each line of the given width, and one for each blank.
        long breaks = length / line + text.chars().filter(c -> c == ' ').count();
        call.chargeText(length + breaks * lineEnd.length());
        StringBuilder result = new StringBuilder(length + 16);
        int offset = 0;
        while (length - offset > line) {
            if (text.charAt(offset) == ' ') {
                offset++;
                continue;
            }
            // The blank may be the first character that exceeds the width.
            int end = offset + (int) line;
            int blank = lastBlank(text, offset, end);
            if (blank >= offset) {
                result.append(text, offset, blank).append(lineEnd);
                offset = blank + 1;
            } else if (breakWords) {
                result.append(text, offset, end).append(lineEnd);
                offset = end;
            } else {
                int wordEnd = text.indexOf(' ', end);
                result.append(text, offset, wordEnd < 0 ? length : wordEnd).append(wordEnd < 0 ? "" : lineEnd);
                offset = wordEnd < 0 ? length : wordEnd + 1;
            }
        }
        return GoString.ofBytes(result.append(text, offset, length).toString());
    }

    private static int lastBlank(String text, int from, int last) {
        int at = last;
        while (at >= from && text.charAt(at) != ' ') {
            at--;
        }
        return at;
    }

    private static GoValue repeated(FunctionCall call) throws GoCallException {
        long count = call.integer(0);
        String text = call.text(1);
        if (count < 0) {
            throw new GoCallException("strings: negative Repeat count");
        }
        if (text.isEmpty() || count == 0) {
            return GoString.EMPTY;
        }
        call.chargeText(count > Long.MAX_VALUE / text.length() ? Long.MAX_VALUE : count * text.length());
        return GoString.ofBytes(text.repeat(Math.toIntExact(count)));
    }

    private static GoValue indented(FunctionCall call, String before) throws GoCallException {
        long width = call.integer(0);
        String text = call.text(1);
        if (width < 0) {
            throw new GoCallException("strings: negative Repeat count");
        }
        long lines = text.chars().filter(c -> c == '\n').count() + 1;
        call.chargeText(width > Integer.MAX_VALUE ? width : text.length() + width * lines);
        String padding = " ".repeat(Math.toIntExact(width));
        return GoString.ofBytes(before + padding + text.replace("\n", "\n" + padding));
    }

    private static GoValue replaced(FunctionCall call) {
        String old = call.text(0);
        String by = call.text(1);
        String text = call.text(2);
        call.chargeSearch(text, old);
        if (old.isEmpty()) {
            return interspersed(call, text, by);
        }
        long count = 0;
        for (int at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length())) {
            count++;
        }
        call.chargeText(text.length() + count * (by.length() - old.length()));
        return GoString.ofBytes(text.replace(old, by));
    }

    /** An empty text is found before each character and at the end. */
    private static GoValue interspersed(FunctionCall call, String text, String by) {
        call.chargeText(text.length() + (Utf8Runes.count(text) + 1L) * by.length());
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int end = i + Utf8Runes.sizeAt(text, i);
            result.append(by).append(text, i, end);
            i = end;
        }
        return GoString.ofBytes(result.append(by).toString());
    }

    /** The arguments but nil ones as text, separated by blanks. */
    private static GoValue joined(FunctionCall call, Function<GoValue, String> form) {
        StringBuilder joined = new StringBuilder();
        boolean first = true;
        for (GoValue argument : call.arguments()) {
            if (!(argument instanceof GoNil)) {
                String text = form.apply(argument);
                call.chargeText(text.length());
                joined.append(first ? "" : " ").append(text);
                first = false;
            }
        }
        return GoString.ofBytes(joined.toString());
    }

    private static GoValue joinedList(FunctionCall call) {
        String separator = call.text(0);
        List<String> texts = call.toTexts(call.value(1));
        long length = (long) separator.length() * texts.size();
        for (String text : texts) {
            length += text.length();
        }
        call.chargeText(length);
        return GoString.ofBytes(String.join(separator, texts));
    }

    private static GoSlice toStrings(FunctionCall call) {
        GoValue value = call.value(0);
        boolean already = value instanceof GoSlice && value.type().equals(STRINGS);
        return already ? (GoSlice) value : strings(call.toTexts(value));
    }

    // As in Go a []string is sorted in place, and all who hold it see that. An unmodifiable one is copied.
    private static GoValue sorted(FunctionCall call) {
        GoSlice list = call.value(0) instanceof GoNil ? strings(List.of(call.toText(call.value(0)))) : toStrings(call);
        int length = list.length();
        call.charge((long) length * (1 + Integer.numberOfTrailingZeros(Integer.highestOneBit(length + 1))));
        boolean inPlace = list.items() instanceof ArrayList<GoValue>;
        List<GoValue> items = inPlace ? list.elements() : new ArrayList<>(list.elements());
        items.sort(Comparator.comparing(element -> ((GoString) element).bytes()));
        return inPlace ? list : new GoSlice(STRINGS, items);
    }

    /** The parts between separators, which are the first argument; at most {@code limit} unless negative. */
    static GoSlice split(FunctionCall call, String text, long limit) {
        String separator = call.text(0);
        call.chargeSearch(text, separator);
        if (limit == 0) {
            return new GoSlice(STRINGS, null);
        }
        List<String> parts = new ArrayList<>();
        int position = 0;
        while (limit < 0 || parts.size() < limit - 1) {
            // An empty separator separates characters.
            int end = separator.isEmpty() ? characterEnd(text, position) : text.indexOf(separator, position);
            if (end < 0 || (separator.isEmpty() && end == text.length())) {
                break;
            }
            call.chargeSlots(1);
            parts.add(text.substring(position, end));
            position = end + separator.length();
        }
        if (!separator.isEmpty() || position < text.length()) {
            parts.add(text.substring(position));
        }
        return strings(parts);
    }

    private static int characterEnd(String text, int start) {
        return start == text.length() ? -1 : start + Utf8Runes.sizeAt(text, start);
    }

    /** The parts under the keys {@code _0}, {@code _1} and so on. */
    private static GoValue numbered(GoSlice parts) {
        Map<GoValue, GoValue> map = HashMap.newHashMap(parts.length());
        for (GoValue part : parts.elements()) {
            map.put(GoString.ofBytes("_" + map.size()), part);
        }
        return new GoMap(STRING_MAP, map);
    }
}

package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextMarshaling;
import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.text.GoNumbers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a value in block style, in Java text.
 *
 * <p>Most of the layout follows from two flags: {@code afterBlank} (nothing needs to be put between here and the next word) and
 * {@code inIndentation} (only indentation and list dashes stand on this line so far, so that a nested collection may begin on
 * it).
 */
final class YamlWriter {
    /**
     * The layouts of the two libraries.
     *
     * @param indent columns of one level
     * @param width column after which a line is folded at the next blank
     * @param listsUnderKeys whether a list that is a map's value is indented below its key
     * @param aligned whether levels stand at multiples of {@code indent}, and two columns further inside of a list item
     * @param tabsInBlocks whether text with tabs may be written as a block
     * @param breakAfterHeader whether a block begins on a separate line even when its text begins with a line break; without, that
     *     break is lost
     */
    record YamlLayout(
            int indent,
            int width,
            boolean listsUnderKeys,
            boolean aligned,
            boolean tabsInBlocks,
            boolean breakAfterHeader,
            NaturalKeyOrder keyOrder) {
        /** {@code gopkg.in/yaml.v3}. */
        static final YamlLayout V3 = new YamlLayout(4, Integer.MAX_VALUE, true, true, true, false, NaturalKeyOrder.V3);
        /** The version 2 that {@code sigs.k8s.io/yaml} uses. */
        static final YamlLayout V2 = new YamlLayout(2, 80, false, false, false, true, NaturalKeyOrder.V2);
    }

    /** Where a node stands in its parent. */
    private enum BlockContext {
        ROOT,
        ITEM,
        KEY,
        VALUE
    }

    /** How a scalar is to be written if its text and its place allow it. */
    private enum Style {
        PLAIN,
        DOUBLE_QUOTED,
        LITERAL
    }

    /** {@code text} is base64 and tagged as such when it is {@code binary}. */
    private record Scalar(String text, Style style, boolean binary) {
        static Scalar plain(String text) {
            return new Scalar(text, Style.PLAIN, false);
        }

        static Scalar string(String bytes) {
            String text = Utf8Bytes.decode(bytes);
            boolean binary = !Utf8Bytes.isValid(text);
            if (binary) {
                text = base64(bytes);
            }
            if (text.indexOf('\n') >= 0) {
                return new Scalar(text, Style.LITERAL, binary);
            }
            boolean quoted = !binary && ImplicitTagResolver.isNonString(text);
            return new Scalar(text, quoted ? Style.DOUBLE_QUOTED : Style.PLAIN, binary);
        }

        private static String base64(String bytes) {
            String text = Base64.getEncoder().encodeToString(bytes.getBytes(StandardCharsets.ISO_8859_1));
            if (text.length() <= BASE64_LINE) {
                return text;
            }
            StringBuilder lines = new StringBuilder(text.length() + text.length() / BASE64_LINE + 1);
            for (int i = 0; i < text.length(); i += BASE64_LINE) {
                lines.append(text, i, Math.min(i + BASE64_LINE, text.length())).append('\n');
            }
            return lines.toString();
        }
    }

    /** A longer key, in bytes, is written in the form {@code ? key}. */
    private static final int LONGEST_SIMPLE_KEY = 128;

    /** Lines of base64, as the Go library breaks them. */
    private static final int BASE64_LINE = 70;

    private static final String BINARY = "!!binary";
    private static final char BYTE_ORDER_MARK = 0xFEFF;

    private final YamlLayout layout;
    private final NestingTracker nesting;
    private final StringBuilder out = new StringBuilder();
    private int charged;
    private int indent = -1;
    private int column;
    private boolean afterBlank = true;
    private boolean inIndentation = true;

    YamlWriter(YamlLayout layout, NestingTracker nesting) {
        this.layout = layout;
        this.nesting = nesting;
    }

    /**
     * The document with a line break at its end; bytes as chars.
     *
     * @throws GoCallException for functions
     */
    String writeDocument(GoValue root) throws GoCallException {
        node(root, BlockContext.ROOT);
        lineStart();
        return GoString.bytes(out.toString());
    }

    private void node(GoValue value, BlockContext place) throws GoCallException {
        Scalar scalar = scalar(value);
        if (scalar != null) {
            scalar(scalar, place, false);
            return;
        }
        nesting.enter(container(value));
        switch (value) {
            case GoPointer pointer when pointer.target() != null -> node(pointer.target(), place);
            case GoSlice slice -> sequence(slice, place);
            default -> mapping(entries(value), place);
        }
        nesting.leave();
    }

    /** The value as a scalar, null for collections and pointers to something. */
    private static @Nullable Scalar scalar(GoValue value) throws GoCallException {
        String text = TextMarshaling.marshalText(value);
        if (text != null) {
            return Scalar.string(text);
        }
        return switch (value) {
            case GoBool bool -> Scalar.plain(bool.value() ? "true" : "false");
            case GoInt integer -> Scalar.plain(TextMarshaling.formatDecimal(integer));
            case GoFloat number -> Scalar.plain(number(number));
            case GoString string -> Scalar.string(string.bytes());
            case GoFunction function -> throw new GoCallException("cannot marshal type: " + function.type());
            case GoSlice slice -> null;
            case GoMap map -> null;
            case GoStruct struct -> null;
            case GoPointer pointer when pointer.target() != null -> null;
            default -> Scalar.plain("null");
        };
    }

    private static String number(GoFloat number) {
        double value = number.value();
        if (Double.isNaN(value)) {
            return ".nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? ".inf" : "-.inf";
        }
        return GoNumbers.formatFloat(value, 'g', -1, number.kind().bits());
    }

    /** What is shared when a value contains itself. */
    private static Object container(GoValue value) {
        return switch (value) {
            case GoMap map -> map.elements();
            case GoSlice slice -> slice.elements();
            default -> value;
        };
    }

    private List<Map.Entry<GoValue, GoValue>> entries(GoValue value) throws GoCallException {
        return switch (value) {
            case GoMap map -> {
                List<Map.Entry<GoValue, GoValue>> sorted =
                        new ArrayList<>(map.elements().entrySet());
                sorted.sort(Map.Entry.comparingByKey(layout.keyOrder()));
                yield sorted;
            }
            case GoStruct struct -> fields(struct);
            default -> throw new IllegalArgumentException("not a map or struct: " + value.type());
        };
    }

    private static List<Map.Entry<GoValue, GoValue>> fields(GoStruct struct) throws GoCallException {
        List<GoType.Field> fields = struct.type().fields();
        List<Map.Entry<GoValue, GoValue>> entries = new ArrayList<>(fields.size());
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.get(i).name();
            if (fields.get(i).embedded()) {
                // yaml.v3 has no test for this and panics; templates see the panic as an error of toYaml.
                throw new GoCallException(
                        "reflect.Value.Interface: cannot return value obtained from unexported field or method");
            }
            if (Character.isUpperCase(name.charAt(0))) {
                String key = name.toLowerCase(Locale.ROOT);
                if (!keys.add(key)) {
                    throw new GoCallException("duplicated key '" + key + "' in struct " + struct.type());
                }
                entries.add(Map.entry(GoString.of(key), struct.field(i)));
            }
        }
        return entries;
    }

    private void sequence(GoSlice slice, BlockContext place) throws GoCallException {
        if (slice.length() == 0) {
            indicator("[]", false, false);
            return;
        }
        int outer = indent;
        boolean underKey = place == BlockContext.KEY || place == BlockContext.VALUE;
        if (layout.listsUnderKeys() || !underKey || inIndentation) {
            indentFurther(place, 0);
        }
        for (GoValue item : slice.elements()) {
            lineStart();
            indicator("-", false, true);
            node(item, BlockContext.ITEM);
        }
        indent = outer;
    }

    private void mapping(List<Map.Entry<GoValue, GoValue>> entries, BlockContext place) throws GoCallException {
        if (entries.isEmpty()) {
            indicator("{}", false, false);
            return;
        }
        int outer = indent;
        indentFurther(place, 0);
        for (Map.Entry<GoValue, GoValue> entry : entries) {
            lineStart();
            Scalar key = scalar(entry.getKey());
            if (key != null && isSimpleKey(key)) {
                scalar(key, BlockContext.KEY, true);
                put(':');
                afterBlank = false;
                inIndentation = false;
            } else {
                indicator("?", false, true);
                node(entry.getKey(), BlockContext.KEY);
                lineStart();
                indicator(":", false, true);
            }
            node(entry.getValue(), BlockContext.VALUE);
        }
        indent = outer;
    }

    private static boolean isSimpleKey(Scalar key) {
        int bytes = GoString.bytes(key.text()).length() + (key.binary() ? BINARY.length() : 0);
        return bytes <= LONGEST_SIMPLE_KEY && key.text().chars().noneMatch(YamlWriter::isLineBreak);
    }

    private void indentFurther(BlockContext place, int atRoot) {
        if (indent < 0) {
            indent = atRoot;
        } else if (!layout.aligned()) {
            indent += layout.indent();
        } else if (place == BlockContext.ITEM) {
            indent += 2;
        } else {
            indent = (indent / layout.indent() + 1) * layout.indent();
        }
    }

    private void scalar(Scalar scalar, BlockContext place, boolean simpleKey) {
        ScalarAnalysis analysis = new ScalarAnalysis(scalar.text());
        if (scalar.binary()) {
            indicator(BINARY, false, false);
        }
        int outer = indent;
        indentFurther(place, layout.indent());
        String text = scalar.text();
        switch (scalar.style()) {
            case LITERAL -> {
                if (!simpleKey && analysis.allowsBlock(layout.tabsInBlocks())) {
                    literal(text);
                } else {
                    doubleQuoted(text, !simpleKey);
                }
            }
            case DOUBLE_QUOTED -> doubleQuoted(text, !simpleKey);
            case PLAIN -> {
                if (!analysis.allowsSingleQuotes()) {
                    doubleQuoted(text, !simpleKey);
                } else if (!analysis.allowsPlain() || (simpleKey && text.isEmpty())) {
                    singleQuoted(text, !simpleKey);
                } else {
                    plain(text, !simpleKey);
                }
            }
        }
        indent = outer;
    }

    private void plain(String text, boolean mayFold) {
        if (!afterBlank) {
            put(' ');
        }
        boolean afterSpace = false;
        for (int i = 0; i < text.length(); ) {
            boolean space = isSpace(text, i);
            if (space && mayFold && !afterSpace && column > layout.width() && !isSpace(text, i + 1)) {
                lineStart();
                i++;
            } else {
                i = copy(text, i);
            }
            afterSpace = space;
        }
        afterBlank = false;
        inIndentation = false;
    }

    private void singleQuoted(String text, boolean mayFold) {
        indicator("'", false, false);
        boolean afterSpace = false;
        boolean afterBreak = false;
        for (int i = 0; i < text.length(); ) {
            char c = text.charAt(i);
            boolean space = c == ' ';
            boolean lineBreak = isLineBreak(c);
            if (space) {
                boolean inside = i > 0 && i < text.length() - 1;
                if (mayFold && !afterSpace && column > layout.width() && inside && !isSpace(text, i + 1)) {
                    lineStart();
                    i++;
                } else {
                    i = copy(text, i);
                }
            } else if (lineBreak) {
                if (!afterBreak && c == '\n') {
                    putLineBreak('\n');
                }
                putLineBreak(c);
                i++;
            } else {
                if (afterBreak) {
                    lineStart();
                }
                if (c == '\'') {
                    put('\'');
                }
                i = copy(text, i);
                inIndentation = false;
            }
            afterSpace = space;
            afterBreak = lineBreak || (space && afterBreak);
        }
        put('\'');
        afterBlank = false;
        inIndentation = false;
    }

    private void doubleQuoted(String text, boolean mayFold) {
        indicator("\"", false, false);
        // The Go library takes every character for a byte order mark when the first one is.
        boolean escapeAll = text.indexOf(BYTE_ORDER_MARK) == 0;
        boolean afterSpace = false;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            boolean space = c == ' ' && !escapeAll;
            if (space && mayFold && !afterSpace && column > layout.width() && i > 0 && i < text.length() - 1) {
                lineStart();
                if (isSpace(text, i + 1)) {
                    put('\\');
                }
                i++;
            } else if (escapeAll || c == '"' || c == '\\' || !isPrintable(c) || isLineBreak(c)) {
                escape(c);
                i += Character.charCount(c);
            } else {
                i = copy(text, i);
            }
            afterSpace = space;
        }
        put('"');
        afterBlank = false;
        inIndentation = false;
    }

    private void escape(int codePoint) {
        String escape =
                switch (codePoint) {
                    case 0x00 -> "\\0";
                    case 0x07 -> "\\a";
                    case 0x08 -> "\\b";
                    case 0x09 -> "\\t";
                    case 0x0A -> "\\n";
                    case 0x0B -> "\\v";
                    case 0x0C -> "\\f";
                    case 0x0D -> "\\r";
                    case 0x1B -> "\\e";
                    case '"' -> "\\\"";
                    case '\\' -> "\\\\";
                    case 0x85 -> "\\N";
                    case 0xA0 -> "\\_";
                    case 0x2028 -> "\\L";
                    case 0x2029 -> "\\P";
                    default -> {
                        String form = codePoint <= 0xFF ? "\\x%02X" : codePoint <= 0xFFFF ? "\\u%04X" : "\\U%08X";
                        yield form.formatted(codePoint);
                    }
                };
        out.append(escape);
        column += escape.length();
    }

    private void literal(String text) {
        indicator("|", false, false);
        if (isSpace(text, 0) || isLineBreak(text.charAt(0))) {
            // The hint names one level even where the block is indented by less. So does the Go library.
            put((char) ('0' + layout.indent()));
        }
        int last = text.length() - 1;
        if (!isLineBreak(text.charAt(last))) {
            put('-');
        } else if (last == 0 || isLineBreak(text.charAt(last - 1))) {
            put('+');
        }
        if (layout.breakAfterHeader()) {
            putLineBreak('\n');
        }
        afterBlank = true;
        boolean afterBreak = true;
        for (int i = 0; i < text.length(); ) {
            boolean lineBreak = isLineBreak(text.charAt(i));
            if (lineBreak) {
                putLineBreak(text.charAt(i));
                i++;
            } else {
                if (afterBreak) {
                    lineStart();
                }
                i = copy(text, i);
                inIndentation = false;
            }
            afterBreak = lineBreak;
        }
    }

    /**
     * Goes to the column of the current level, on a new line unless that column can still be reached on this one. Charges for the
     * text since the last time: all that grows passes here.
     */
    private void lineStart() {
        int target = Math.max(indent, 0);
        if (!inIndentation || column > target || (column == target && !afterBlank)) {
            putLineBreak('\n');
        }
        while (column < target) {
            put(' ');
        }
        afterBlank = true;
        inIndentation = true;
        nesting.charge(out.length() - charged);
        charged = out.length();
    }

    /** Writes punctuation, after a blank. */
    private void indicator(String text, boolean isBlank, boolean isIndentation) {
        if (!afterBlank) {
            put(' ');
        }
        out.append(text);
        column += text.length();
        afterBlank = isBlank;
        inIndentation = inIndentation && isIndentation;
    }

    private void put(char c) {
        out.append(c);
        column++;
    }

    private void putLineBreak(char c) {
        out.append(c);
        column = 0;
        inIndentation = true;
    }

    /** Copies one character; gives the position after it. */
    private int copy(String text, int i) {
        int codePoint = text.codePointAt(i);
        out.appendCodePoint(codePoint);
        column++;
        return i + Character.charCount(codePoint);
    }

    private static boolean isSpace(String text, int i) {
        return i < text.length() && text.charAt(i) == ' ';
    }

    /** In addition to LF and CR: next line, line separator, paragraph separator. */
    private static boolean isLineBreak(int c) {
        return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    /** Whether the character may stand unescaped; nothing beyond U+FFFF may. */
    private static boolean isPrintable(int c) {
        return c == '\n'
                || (c >= 0x20 && c < 0x7F)
                || (c >= 0xA0 && c < 0xD800)
                || (c >= 0xE000 && c < 0xFFFE && c != BYTE_ORDER_MARK);
    }

    /** Which styles a text allows: one pass over it, keeping what is seen. */
    private static final class ScalarAnalysis {
        private final String text;
        private boolean indicators;
        private boolean special;
        private boolean tabs;
        private boolean lineBreaks;
        private boolean blankAtEdge;
        private boolean trailingSpace;
        private boolean spaceAfterBreak;
        private boolean breakAfterSpace;

        ScalarAnalysis(String text) {
            this.text = text;
            indicators = text.startsWith("---") || text.startsWith("...");
            boolean afterSpace = false;
            boolean afterBreak = false;
            for (int i = 0; i < text.length(); ) {
                int c = text.codePointAt(i);
                int next = i + Character.charCount(c);
                boolean edge = i == 0 || next == text.length();
                indicators |= isIndicator(i);
                if (c == '\t') {
                    tabs = true;
                } else if (!isPrintable(c)) {
                    special = true;
                }
                boolean space = c == ' ';
                boolean lineBreak = isLineBreak(c);
                lineBreaks |= lineBreak;
                blankAtEdge |= (space || lineBreak) && edge;
                trailingSpace |= space && next == text.length();
                spaceAfterBreak |= space && afterBreak;
                breakAfterSpace |= lineBreak && afterSpace;
                afterSpace = space;
                afterBreak = lineBreak;
                i = next;
            }
        }

        /** Without quotes, in block context. */
        boolean allowsPlain() {
            return allowsSingleQuotes() && !blankAtEdge && !lineBreaks && !indicators;
        }

        boolean allowsSingleQuotes() {
            return !breakAfterSpace && !tabs && !special && !spaceAfterBreak;
        }

        boolean allowsBlock(boolean withTabs) {
            return !text.isEmpty() && !trailingSpace && !breakAfterSpace && !special && (withTabs || !tabs);
        }

        private boolean isIndicator(int i) {
            char c = text.charAt(i);
            if (i > 0) {
                return (c == ':' && isBlankOrEnd(i + 1)) || (c == '#' && isBlankOrEnd(i - 1));
            }
            return switch (c) {
                case '#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`' -> true;
                case '?', ':', '-' -> isBlankOrEnd(1);
                default -> false;
            };
        }

        private boolean isBlankOrEnd(int i) {
            if (i >= text.length()) {
                return true;
            }
            char c = text.charAt(i);
            return c == ' ' || c == '\t' || c == 0 || isLineBreak(c);
        }
    }
}

package io.osmhub.core.emit.yaml;

import static io.osmhub.core.emit.yaml.YamlCharacters.isSpace;
import static io.osmhub.core.emit.yaml.YamlCharacters.lineBreak;

import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlLayout;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTree;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTree.Entry;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTree.Mapping;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTree.Scalar;
import io.osmhub.core.emit.yaml.YamlEncoder.YamlTree.Sequence;

/**
 * Lays out a tree in block style.
 *
 * <p>Most of it follows from two flags: {@code afterBlank} (nothing needs to be put between here and the next word) and
 * {@code inIndentation} (only indentation and list dashes stand on this line so far, so that a nested collection may begin on
 * it).
 */
final class YamlBlockWriter {
    /** Where a node stands in its parent. */
    private enum BlockContext {
        ROOT,
        ITEM,
        KEY,
        VALUE
    }

    /** A longer key is written in the form {@code ? key}. */
    private static final int LONGEST_SIMPLE_KEY = 128;

    private static final String BINARY = "!!binary";
    private static final String HEX = "0123456789ABCDEF";

    private final YamlLayout dialect;
    private final StringBuilder out;
    private int indent = -1;
    private int column;
    private boolean afterBlank = true;
    private boolean inIndentation = true;

    YamlBlockWriter(YamlLayout dialect, StringBuilder out) {
        this.dialect = dialect;
        this.out = out;
    }

    void writeDocument(YamlTree root) {
        node(root, BlockContext.ROOT);
        lineStart();
    }

    private void node(YamlTree node, BlockContext place) {
        switch (node) {
            case Scalar scalar -> scalar(scalar, place, false);
            case Sequence sequence -> sequence(sequence, place);
            case Mapping mapping -> mapping(mapping, place);
        }
    }

    private void sequence(Sequence sequence, BlockContext place) {
        if (sequence.items().isEmpty()) {
            indicator("[]", false, false);
            return;
        }
        int outer = indent;
        boolean underKey = place == BlockContext.KEY || place == BlockContext.VALUE;
        if (dialect.listsUnderKeys() || !underKey || inIndentation) {
            indentFurther(place, 0);
        }
        for (YamlTree item : sequence.items()) {
            lineStart();
            indicator("-", false, true);
            node(item, BlockContext.ITEM);
        }
        indent = outer;
    }

    private void mapping(Mapping mapping, BlockContext place) {
        if (mapping.entries().isEmpty()) {
            indicator("{}", false, false);
            return;
        }
        int outer = indent;
        indentFurther(place, 0);
        for (Entry entry : mapping.entries()) {
            lineStart();
            if (isSimpleKey(entry.key())) {
                switch (entry.key()) {
                    case Scalar scalar -> scalar(scalar, BlockContext.KEY, true);
                    case Sequence sequence -> sequence(sequence, BlockContext.KEY);
                    case Mapping inner -> mapping(inner, BlockContext.KEY);
                }
                put(':');
                afterBlank = false;
                inIndentation = false;
            } else {
                indicator("?", false, true);
                node(entry.key(), BlockContext.KEY);
                lineStart();
                indicator(":", false, true);
            }
            node(entry.value(), BlockContext.VALUE);
        }
        indent = outer;
    }

    private boolean isSimpleKey(YamlTree key) {
        return switch (key) {
            case Scalar scalar ->
                scalar.text().length() + (scalar.binary() ? BINARY.length() : 0) <= LONGEST_SIMPLE_KEY
                        && !AllowedScalarStyles.of(scalar.text(), dialect).multiline();
            case Sequence sequence -> sequence.items().isEmpty();
            case Mapping mapping -> mapping.entries().isEmpty();
        };
    }

    private void indentFurther(BlockContext place, int atRoot) {
        if (indent < 0) {
            indent = atRoot;
        } else if (!dialect.aligned()) {
            indent += dialect.indent();
        } else if (place == BlockContext.ITEM) {
            indent += 2;
        } else {
            indent = (indent / dialect.indent() + 1) * dialect.indent();
        }
    }

    private void scalar(Scalar scalar, BlockContext place, boolean simpleKey) {
        AllowedScalarStyles traits = AllowedScalarStyles.of(scalar.text(), dialect);
        if (scalar.binary()) {
            indicator(BINARY, false, false);
        }
        int outer = indent;
        indentFurther(place, dialect.indent());
        switch (scalar.style()) {
            case LITERAL -> {
                if (traits.block() && !simpleKey) {
                    literal(scalar.text());
                } else {
                    doubleQuoted(scalar.text(), !simpleKey);
                }
            }
            case DOUBLE_QUOTED -> doubleQuoted(scalar.text(), !simpleKey);
            case PLAIN -> {
                if ((simpleKey && traits.multiline()) || !traits.singleQuoted()) {
                    doubleQuoted(scalar.text(), !simpleKey);
                } else if (!traits.plain() || (simpleKey && scalar.text().isEmpty())) {
                    singleQuoted(scalar.text(), !simpleKey);
                } else {
                    plain(scalar.text(), !simpleKey);
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
            if (space && mayFold && !afterSpace && column > dialect.width() && !isSpace(text, i + 1)) {
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
            boolean space = isSpace(text, i);
            boolean lineBreak = lineBreak(text, i) > 0;
            if (space) {
                boolean inside = i > 0 && i < text.length() - 1;
                if (mayFold && !afterSpace && column > dialect.width() && inside && !isSpace(text, i + 1)) {
                    lineStart();
                    i++;
                } else {
                    i = copy(text, i);
                }
            } else if (lineBreak) {
                if (!afterBreak && text.charAt(i) == '\n') {
                    putLineBreak();
                }
                i = copyLineBreak(text, i);
            } else {
                if (afterBreak) {
                    lineStart();
                }
                if (text.charAt(i) == '\'') {
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
        boolean escapeAll = YamlCharacters.isByteOrderMark(text, 0);
        boolean afterSpace = false;
        for (int i = 0; i < text.length(); ) {
            char c = text.charAt(i);
            boolean space = c == ' ' && !escapeAll;
            if (space && mayFold && !afterSpace && column > dialect.width() && i > 0 && i < text.length() - 1) {
                lineStart();
                if (isSpace(text, i + 1)) {
                    put('\\');
                }
                i++;
            } else if (escapeAll || needsEscape(text, i)) {
                int width = YamlCharacters.width(c);
                escape(Utf8Bytes.decode(text, i, width));
                i += width;
            } else {
                i = copy(text, i);
            }
            afterSpace = space;
        }
        put('"');
        afterBlank = false;
        inIndentation = false;
    }

    private static boolean needsEscape(String text, int i) {
        char c = text.charAt(i);
        return c == '"' || c == '\\' || !YamlCharacters.isPrintable(text, i) || lineBreak(text, i) > 0;
    }

    private void escape(int codePoint) {
        put('\\');
        switch (codePoint) {
            case 0x00 -> put('0');
            case 0x07 -> put('a');
            case 0x08 -> put('b');
            case 0x09 -> put('t');
            case 0x0A -> put('n');
            case 0x0B -> put('v');
            case 0x0C -> put('f');
            case 0x0D -> put('r');
            case 0x1B -> put('e');
            case '"', '\\' -> put((char) codePoint);
            case 0x85 -> put('N');
            case 0xA0 -> put('_');
            case 0x2028 -> put('L');
            case 0x2029 -> put('P');
            default -> {
                if (codePoint <= 0xFF) {
                    hexadecimal('x', codePoint, 2);
                } else if (codePoint <= 0xFFFF) {
                    hexadecimal('u', codePoint, 4);
                } else {
                    hexadecimal('U', codePoint, 8);
                }
            }
        }
    }

    private void hexadecimal(char kind, int codePoint, int digits) {
        put(kind);
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            put(HEX.charAt((codePoint >> shift) & 0xF));
        }
    }

    private void literal(String text) {
        indicator("|", false, false);
        if (isSpace(text, 0) || lineBreak(text, 0) > 0) {
            // The hint names one level even where the block is indented by less. So does the Go library.
            put((char) ('0' + dialect.indent()));
        }
        int end = lastLineBreak(text, text.length());
        if (end < 0) {
            put('-');
        } else if (end == 0 || lastLineBreak(text, end) >= 0) {
            put('+');
        }
        if (dialect.breakAfterHeader()) {
            putLineBreak();
        }
        afterBlank = true;
        boolean afterBreak = true;
        for (int i = 0; i < text.length(); ) {
            if (lineBreak(text, i) > 0) {
                i = copyLineBreak(text, i);
                afterBreak = true;
            } else {
                if (afterBreak) {
                    lineStart();
                }
                i = copy(text, i);
                inIndentation = false;
                afterBreak = false;
            }
        }
    }

    /** Where the line break begins that ends at {@code end}; -1 when there is none. */
    private static int lastLineBreak(String text, int end) {
        int start = end - 1;
        while (start >= 0 && (text.charAt(start) & 0xC0) == 0x80) {
            start--;
        }
        return start >= 0 && lineBreak(text, start) > 0 ? start : -1;
    }

    /** Goes to the column of the current level, on a new line unless that column can still be reached on this one. */
    private void lineStart() {
        int target = Math.max(indent, 0);
        if (!inIndentation || column > target || (column == target && !afterBlank)) {
            putLineBreak();
        }
        while (column < target) {
            put(' ');
        }
        afterBlank = true;
        inIndentation = true;
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

    private void putLineBreak() {
        out.append('\n');
        column = 0;
        inIndentation = true;
    }

    /** Copies one character; gives the position after it. */
    private int copy(String text, int i) {
        int end = i + YamlCharacters.width(text.charAt(i));
        out.append(text, i, end);
        column++;
        return end;
    }

    private int copyLineBreak(String text, int i) {
        int end = i + lineBreak(text, i);
        out.append(text, i, end);
        column = 0;
        inIndentation = true;
        return end;
    }

    /**
     * Which styles a text allows.
     *
     * @param multiline whether there are line breaks in it
     * @param plain whether it may be written without quotes in block context
     * @param singleQuoted whether single quotes are enough
     * @param block whether it may be written as a literal block
     */
    private record AllowedScalarStyles(boolean multiline, boolean plain, boolean singleQuoted, boolean block) {
        static AllowedScalarStyles of(String text, YamlLayout dialect) {
            return text.isEmpty()
                    ? new AllowedScalarStyles(false, true, true, false)
                    : new Analysis(text, dialect).traits();
        }

        /** One pass over a text, keeping what is seen. */
        private static final class Analysis {
            private final String text;
            private final YamlLayout dialect;
            private boolean indicators;
            private boolean special;
            private boolean tabs;
            private boolean lineBreaks;
            private boolean blankAtEdge;
            private boolean trailingSpace;
            private boolean spaceAfterBreak;
            private boolean breakAfterSpace;

            Analysis(String text, YamlLayout dialect) {
                this.text = text;
                this.dialect = dialect;
            }

            AllowedScalarStyles traits() {
                indicators = text.startsWith("---") || text.startsWith("...");
                boolean afterBlank = true;
                boolean afterSpace = false;
                boolean afterBreak = false;
                for (int i = 0; i < text.length(); ) {
                    int width = YamlCharacters.width(text.charAt(i));
                    boolean last = i + width >= text.length();
                    indicators |= isIndicator(i, afterBlank, YamlCharacters.isBlankOrEnd(text, i + width));
                    if (text.charAt(i) == '\t') {
                        tabs = true;
                    } else if (!YamlCharacters.isPrintable(text, i)) {
                        special = true;
                    }
                    if (YamlCharacters.isSpace(text, i)) {
                        blankAtEdge |= i == 0 || last;
                        trailingSpace |= last;
                        spaceAfterBreak |= afterBreak;
                        afterSpace = true;
                        afterBreak = false;
                    } else if (YamlCharacters.lineBreak(text, i) > 0) {
                        lineBreaks = true;
                        blankAtEdge |= i == 0 || last;
                        breakAfterSpace |= afterSpace;
                        afterSpace = false;
                        afterBreak = true;
                    } else {
                        afterSpace = false;
                        afterBreak = false;
                    }
                    afterBlank = YamlCharacters.isBlankOrEnd(text, i);
                    i += width;
                }
                boolean quotable = !(breakAfterSpace || tabs || special);
                return new AllowedScalarStyles(
                        lineBreaks,
                        quotable && !spaceAfterBreak && !blankAtEdge && !lineBreaks && !indicators,
                        quotable && !spaceAfterBreak,
                        !trailingSpace && !breakAfterSpace && !special && (dialect.tabsInBlocks() || !tabs));
            }

            private boolean isIndicator(int i, boolean afterBlank, boolean beforeBlank) {
                char c = text.charAt(i);
                if (i > 0) {
                    return (c == ':' && beforeBlank) || (c == '#' && afterBlank);
                }
                return switch (c) {
                    case '#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`' -> true;
                    case '?', ':', '-' -> beforeBlank;
                    default -> false;
                };
            }
        }
    }
}

package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.emit.yaml.YamlNode.Style;
import io.osmhub.core.emit.yaml.YamlNode.YamlMark;
import io.osmhub.core.emit.yaml.YamlScanner.YamlToken;
import io.osmhub.core.emit.yaml.YamlScanner.YamlToken.Kind;
import io.osmhub.core.golang.GoCallException;

/** Reads scalars in all their styles. */
final class YamlScalarScanner {
    /** What to do with the line breaks at the end of a block. */
    private enum Chomping {
        STRIP,
        CLIP,
        KEEP
    }

    private final YamlCharacterReader source;
    private boolean endedAfterBreak;

    YamlScalarScanner(YamlCharacterReader source) {
        this.source = source;
    }

    /** Whether a line break follows the plain scalar read last, so that a key may begin next. */
    boolean endedAfterBreak() {
        return endedAfterBreak;
    }

    private YamlToken scalar(YamlMark start, YamlMark end, StringBuilder text, Style style) {
        return new YamlToken(Kind.SCALAR, start, end, text.toString(), "", style);
    }

    /** Blanks and line breaks between two words: what they become is known only at the second word. */
    private static final class Gap {
        private final StringBuilder blanks = new StringBuilder();
        private final StringBuilder firstBreak = new StringBuilder();
        private final StringBuilder moreBreaks = new StringBuilder();
        private boolean broken;

        void flush(StringBuilder out) {
            if (!broken) {
                out.append(blanks);
            } else if (!firstBreak.isEmpty() && firstBreak.charAt(0) == '\n') {
                if (moreBreaks.isEmpty()) {
                    out.append(' ');
                } else {
                    out.append(moreBreaks);
                }
            } else {
                out.append(firstBreak).append(moreBreaks);
            }
            blanks.setLength(0);
            firstBreak.setLength(0);
            moreBreaks.setLength(0);
            broken = false;
        }

        void readBreak(YamlCharacterReader source) {
            if (broken) {
                source.readLine(moreBreaks);
            } else {
                blanks.setLength(0);
                source.readLine(firstBreak);
                broken = true;
            }
        }

        void readBlank(YamlCharacterReader source) {
            if (broken) {
                source.skip();
            } else {
                source.read(blanks);
            }
        }
    }

    /** A plain scalar; outside of flow collections it ends where a line begins left of {@code leastColumn}. */
    YamlToken scanPlain(int leastColumn, boolean inFlow) throws GoCallException {
        YamlMark start = source.mark();
        YamlMark end = start;
        StringBuilder text = new StringBuilder();
        Gap gap = new Gap();
        while (true) {
            source.check(4);
            if (source.atDocumentIndicator() || source.peek() == '#') {
                break;
            }
            while (!source.atBlankOrEnd(0) && !endsPlain(inFlow)) {
                gap.flush(text);
                source.read(text);
                end = source.mark();
                source.check(2);
            }
            if (!source.atBlank() && !source.atBreak()) {
                break;
            }
            while (source.atBlank() || source.atBreak()) {
                if (source.atBreak()) {
                    gap.readBreak(source);
                } else {
                    if (gap.broken && source.column() < leastColumn && source.peek() == '\t') {
                        throw YamlMark.scannerError(
                                start, source.mark(), "found a tab character that violates indentation");
                    }
                    gap.readBlank(source);
                }
                source.check(2);
            }
            if (!inFlow && source.column() < leastColumn) {
                break;
            }
        }
        endedAfterBreak = gap.broken;
        return scalar(start, end, text, Style.PLAIN);
    }

    private boolean endsPlain(boolean inFlow) {
        return switch (source.peek()) {
            case ':' -> source.atBlankOrEnd(1);
            case ',', '?', '[', ']', '{', '}' -> inFlow;
            default -> false;
        };
    }

    YamlToken scanQuoted(Style style) throws GoCallException {
        YamlMark start = source.mark();
        char quote = source.peek();
        source.skip();
        StringBuilder text = new StringBuilder();
        Gap gap = new Gap();
        while (true) {
            source.check(4);
            if (source.atDocumentIndicator()) {
                throw YamlMark.scannerError(start, source.mark(), "found unexpected document indicator");
            }
            if (source.atEnd()) {
                throw YamlMark.scannerError(start, source.mark(), "found unexpected end of stream");
            }
            word(start, style, text, gap);
            if (source.peek() == quote) {
                source.skip();
                return scalar(start, source.mark(), text, style);
            }
            while (source.atBlank() || source.atBreak()) {
                if (source.atBreak()) {
                    gap.readBreak(source);
                } else {
                    gap.readBlank(source);
                }
                source.check(1);
            }
            gap.flush(text);
        }
    }

    /** Reads up to a blank, a line break or the closing quote. */
    private void word(YamlMark start, Style style, StringBuilder text, Gap gap) throws GoCallException {
        while (!source.atBlankOrEnd(0)) {
            source.check(2);
            char c = source.peek();
            if (style == Style.SINGLE_QUOTED) {
                if (c == '\'') {
                    if (source.peek(1) != '\'') {
                        return;
                    }
                    source.skip();
                }
                source.read(text);
            } else if (c == '"') {
                return;
            } else if (c != '\\') {
                source.read(text);
            } else if (source.isBreakAt(1)) {
                // An escaped line break joins two lines without a blank.
                source.skip();
                source.skipLine();
                gap.broken = true;
                return;
            } else {
                escape(start, text);
            }
        }
    }

    private void escape(YamlMark start, StringBuilder text) throws GoCallException {
        char c = source.peek(1);
        int digits =
                switch (c) {
                    case 'x' -> 2;
                    case 'u' -> 4;
                    case 'U' -> 8;
                    default -> 0;
                };
        if (digits == 0) {
            int codePoint =
                    switch (c) {
                        case '0' -> 0;
                        case 'a' -> 7;
                        case 'b' -> 8;
                        case 't', '\t' -> 9;
                        case 'n' -> 0x0A;
                        case 'v' -> 0x0B;
                        case 'f' -> 0x0C;
                        case 'r' -> 0x0D;
                        case 'e' -> 0x1B;
                        case ' ', '"', '\'', '\\' -> c;
                        case 'N' -> 0x85;
                        case '_' -> 0xA0;
                        case 'L' -> 0x2028;
                        case 'P' -> 0x2029;
                        default -> throw YamlMark.scannerError(start, source.mark(), "found unknown escape character");
                    };
            source.skip(2);
            Utf8Bytes.append(text, codePoint);
            return;
        }
        source.skip(2);
        source.check(digits);
        long codePoint = 0;
        for (int i = 0; i < digits; i++) {
            int digit = source.peek(i) < 0x80 ? Character.digit(source.peek(i), 16) : -1;
            if (digit < 0) {
                throw YamlMark.scannerError(start, source.mark(), "did not find expected hexdecimal number");
            }
            codePoint = codePoint << 4 | digit;
        }
        if ((codePoint >= 0xD800 && codePoint <= 0xDFFF) || codePoint > 0x10FFFF) {
            throw YamlMark.scannerError(start, source.mark(), "found invalid Unicode character escape code");
        }
        source.skip(digits);
        Utf8Bytes.append(text, (int) codePoint);
    }

    /** A literal or folded block within a collection of the given indentation, -1 for none. */
    YamlToken scanBlock(Style style, int parentIndent) throws GoCallException {
        YamlMark start = source.mark();
        source.skip();
        Chomping chomping = Chomping.CLIP;
        int increment = 0;
        for (int i = 0; i < 2; i++) {
            source.check(1);
            char c = source.peek();
            if ((c == '+' || c == '-') && chomping == Chomping.CLIP) {
                chomping = c == '+' ? Chomping.KEEP : Chomping.STRIP;
                source.skip();
            } else if (c >= '0' && c <= '9' && increment == 0) {
                if (c == '0') {
                    throw YamlMark.scannerError(start, source.mark(), "found an indentation indicator equal to 0");
                }
                increment = c - '0';
                source.skip();
            }
        }
        endHeader(start);
        return content(
                start, style, chomping, increment == 0 ? 0 : Math.max(parentIndent, 0) + increment, parentIndent);
    }

    private void endHeader(YamlMark start) throws GoCallException {
        source.check(1);
        while (source.atBlank()) {
            source.skip();
            source.check(1);
        }
        if (source.peek() == '#') {
            while (!source.atBreakOrEnd()) {
                source.skip();
                source.check(1);
            }
        }
        if (!source.atBreakOrEnd()) {
            throw YamlMark.scannerError(start, source.mark(), "did not find expected comment or line break");
        }
        if (source.atBreak()) {
            source.skipLine();
        }
    }

    private YamlToken content(YamlMark start, Style style, Chomping chomping, int givenIndent, int parentIndent)
            throws GoCallException {
        StringBuilder text = new StringBuilder();
        StringBuilder lastBreak = new StringBuilder();
        StringBuilder emptyLines = new StringBuilder();
        int indent = emptyLines(start, givenIndent, parentIndent, emptyLines);
        boolean afterIndented = false;
        while (source.column() == indent && !source.atEnd()) {
            boolean indented = source.atBlank();
            boolean folds = style == Style.FOLDED
                    && !afterIndented
                    && !indented
                    && !lastBreak.isEmpty()
                    && lastBreak.charAt(0) == '\n';
            if (!folds) {
                text.append(lastBreak);
            } else if (emptyLines.isEmpty()) {
                text.append(' ');
            }
            text.append(emptyLines);
            lastBreak.setLength(0);
            emptyLines.setLength(0);
            afterIndented = indented;
            while (!source.atBreakOrEnd()) {
                source.read(text);
                source.check(2);
            }
            if (source.atBreak()) {
                source.readLine(lastBreak);
            }
            emptyLines(start, indent, parentIndent, emptyLines);
        }
        if (chomping != Chomping.STRIP) {
            text.append(lastBreak);
        }
        if (chomping == Chomping.KEEP) {
            text.append(emptyLines);
        }
        return scalar(start, source.mark(), text, style);
    }

    /** Reads empty lines and the next line's indentation; gives the block's indentation, found here if {@code indent} is 0. */
    private int emptyLines(YamlMark start, int indent, int parentIndent, StringBuilder breaks) throws GoCallException {
        int widest = 0;
        while (true) {
            source.check(2);
            while ((indent == 0 || source.column() < indent) && source.peek() == ' ') {
                source.skip();
                source.check(2);
            }
            widest = Math.max(widest, source.column());
            if ((indent == 0 || source.column() < indent) && source.peek() == '\t') {
                throw YamlMark.scannerError(
                        start, source.mark(), "found a tab character where an indentation space is expected");
            }
            if (!source.atBreak()) {
                return indent == 0 ? Math.max(Math.max(widest, parentIndent + 1), 1) : indent;
            }
            source.readLine(breaks);
        }
    }
}

package io.osmhub.core.golang.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoNil;
import java.util.List;

/** One run of {@code fmt.Sprintf}: scans a format and prints its operands. */
final class FormatPrinter {
    /** Go rejects a larger width or precision. */
    private static final int TOO_LARGE = 1_000_000;

    private static final int INVALID = Integer.MIN_VALUE;
    private static final String FLAGS = "+-# 0";

    private final String format;
    private final List<GoValue> operands;
    private final PrintBuffer buffer;
    private final ValuePrinter printer;

    /** Next character of the format. */
    private int at;

    /** Next operand. */
    private int next;

    /** Whether a directive selected its operand by number; then unused operands are no error. */
    private boolean reordered;

    /** Whether the current directive has only used existing operands. */
    private boolean goodIndex;

    /** Whether the last token was an operand number, which must directly precede its use. */
    private boolean afterIndex;

    FormatPrinter(ExecutionEnvironment environment, String format, List<GoValue> operands) {
        this.format = format;
        this.operands = operands;
        this.buffer = new PrintBuffer(environment);
        this.printer = new ValuePrinter(buffer);
    }

    String print() throws GoCallException {
        while (at < format.length()) {
            int percent = format.indexOf('%', at);
            int end = percent < 0 ? format.length() : percent;
            buffer.write(format.substring(at, end));
            at = end + 1;
            if (percent >= 0) {
                directive();
            }
        }
        if (!reordered && next < operands.size()) {
            extra();
        }
        if (printer.unsupported() != null) {
            throw GoCallException.unsupported(printer.unsupported(), "print it with %v");
        }
        return buffer.finish();
    }

    private void directive() throws GoCallException {
        goodIndex = true;
        afterIndex = false;
        int start = at;
        while (at < format.length() && FLAGS.indexOf(format.charAt(at)) >= 0) {
            at++;
        }
        String flags = format.substring(start, at);
        index();
        int width = width();
        // A point at the end of the format counts as the verb.
        int precision = peek('.') && at + 1 < format.length() ? precision() : -1;
        if (!afterIndex) {
            index();
        }
        // A negative width pads on the right.
        verb(new Directive(width < 0 ? flags + '-' : flags, Math.abs(width), precision));
    }

    private boolean peek(char c) {
        return at < format.length() && format.charAt(at) == c;
    }

    private int width() {
        if (peek('*')) {
            int width = starred();
            if (width == INVALID) {
                buffer.write("%!(BADWIDTH)");
            }
            return width == INVALID ? 0 : width;
        }
        int width = number();
        goodIndex &= !afterIndex || width < 0;
        return Math.max(width, 0);
    }

    private int precision() {
        at++;
        goodIndex &= !afterIndex;
        index();
        if (peek('*')) {
            int precision = starred();
            if (precision < 0) {
                buffer.write("%!(BADPREC)");
            }
            return Math.max(precision, -1);
        }
        return Math.max(number(), 0);
    }

    /** Parses digits; -1 if there are none, or so many that the rest of the format is skipped. */
    private int number() {
        int value = -1;
        for (; at < format.length(); at++) {
            int digit = format.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            if (value > TOO_LARGE) {
                at = format.length();
                return -1;
            }
            value = Math.max(value, 0) * 10 + digit;
        }
        return value;
    }

    /** The operand for a {@code *}, {@link #INVALID} if it is not an integer of reasonable size. */
    private int starred() {
        at++;
        afterIndex = false;
        if (next >= operands.size()) {
            return INVALID;
        }
        boolean fits = operands.get(next++) instanceof GoInt number
                && number.value() <= TOO_LARGE
                && number.value() >= (number.kind().isUnsigned() ? 0 : -TOO_LARGE);
        return fits ? (int) ((GoInt) operands.get(next - 1)).value() : INVALID;
    }

    /** Parses an optional operand number in brackets. */
    private void index() {
        afterIndex = false;
        if (!peek('[')) {
            return;
        }
        reordered = true;
        int close = format.indexOf(']', at);
        if (close < 0 || format.length() - at < 3) {
            goodIndex = false;
            at++;
            return;
        }
        at++;
        int number = number();
        boolean isNumber = number >= 0 && at == close;
        at = close + 1;
        if (isNumber && number >= 1 && number <= operands.size()) {
            next = number - 1;
            afterIndex = true;
        } else {
            goodIndex = false;
            afterIndex = isNumber;
        }
    }

    private void verb(Directive directive) throws GoCallException {
        if (at >= format.length()) {
            buffer.write("%!(NOVERB)");
            return;
        }
        int rune = Utf8Runes.runeAt(format, at);
        at += Utf8Runes.size(rune);
        int verb = rune == Utf8Runes.BROKEN ? Utf8Runes.REPLACEMENT : rune;
        if (verb == 'U' || verb == 'p') {
            throw GoCallException.unsupported("%" + (char) verb, "print it with %v or %d");
        }
        if ((verb == 'v' || verb == 'w') && directive.has('#')) {
            throw GoCallException.unsupported("%#" + (char) verb, "print it with %v or toJson");
        }
        if (verb == '%') {
            buffer.write('%');
        } else if (!goodIndex) {
            buffer.write("%!").writeRune(verb).write("(BADINDEX)");
        } else if (next >= operands.size()) {
            buffer.write("%!").writeRune(verb).write("(MISSING)");
        } else {
            printer.print(operands.get(next++), directive, verb);
        }
    }

    private void extra() {
        buffer.write("%!(EXTRA ");
        for (int i = next; i < operands.size(); i++) {
            GoValue operand = operands.get(i);
            buffer.write(i > next ? ", " : "");
            if (operand instanceof GoNil) {
                buffer.write("<nil>");
            } else {
                buffer.write(operand.type().toString()).write('=');
                printer.print(operand);
            }
        }
        buffer.write(')');
    }
}

package io.osmhub.core.golang.text;

import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Nil;
import io.osmhub.core.golang.Value;
import java.util.List;

/** One run of {@code Sprintf}: reads a format string from front to end and prints the operands it names. */
final class Format {
    private final String format;
    private final List<Value> operands;
    private final Printer printer;
    private final Directive directive;
    private final Output output;

    /** Next character of the format. */
    private int at;

    /** Next operand. */
    private int next;

    /** Whether any directive chose its operand by number; then left over operands are no mistake. */
    private boolean reordered;

    /** Whether the directive that is being read has named only operands that exist. */
    private boolean goodIndex;

    /** Whether the last thing read was an operand number, which has to stand directly before what it is for. */
    private boolean afterIndex;

    Format(String format, List<Value> operands, Output output) {
        this.format = format;
        this.operands = operands;
        this.printer = new Printer(output);
        this.directive = printer.directive;
        this.output = output;
    }

    void run() {
        while (at < format.length()) {
            int percent = format.indexOf('%', at);
            int end = percent < 0 ? format.length() : percent;
            if (end > at) {
                output.write(format, at, end);
            }
            at = end + 1;
            if (percent >= 0) {
                directive();
            }
        }
        if (!reordered && next < operands.size()) {
            extra();
        }
    }

    private void directive() {
        directive.clear();
        goodIndex = true;
        afterIndex = false;
        while (at < format.length() && directive.flag(format.charAt(at))) {
            at++;
        }
        index();
        width();
        // A point that ends the format is taken for the verb.
        if (peek('.') && at + 1 < format.length()) {
            at++;
            precision();
        }
        if (!afterIndex) {
            index();
        }
        verb();
    }

    private boolean peek(char c) {
        return at < format.length() && format.charAt(at) == c;
    }

    private void width() {
        if (peek('*')) {
            at++;
            directive.hasWidth = starred();
            if (!directive.hasWidth) {
                output.write("%!(BADWIDTH)");
            }
            directive.width = starredValue;
            if (directive.width < 0) {
                // A negative width pads on the right, and there zeros would change the number.
                directive.width = -directive.width;
                directive.minus = true;
                directive.zero = false;
            }
            afterIndex = false;
            return;
        }
        int number = number();
        directive.hasWidth = number >= 0;
        directive.width = Math.max(number, 0);
        if (afterIndex && directive.hasWidth) {
            goodIndex = false;
        }
    }

    private void precision() {
        if (afterIndex) {
            goodIndex = false;
        }
        index();
        if (peek('*')) {
            at++;
            directive.hasPrecision = starred();
            directive.precision = starredValue;
            if (directive.precision < 0) {
                directive.precision = 0;
                directive.hasPrecision = false;
            }
            if (!directive.hasPrecision) {
                output.write("%!(BADPREC)");
            }
            afterIndex = false;
            return;
        }
        directive.hasPrecision = true;
        directive.precision = Math.max(number(), 0);
    }

    /** Reads digits; -1 when there are none, or so many that the rest of the format is given up. */
    private int number() {
        int value = -1;
        for (; at < format.length(); at++) {
            int digit = format.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            if (value > Directive.TOO_LARGE) {
                at = format.length();
                return -1;
            }
            value = Math.max(value, 0) * 10 + digit;
        }
        return value;
    }

    private int starredValue;

    /** Takes an operand for a {@code *}; true when it is an integer of reasonable size. */
    private boolean starred() {
        starredValue = 0;
        if (next >= operands.size()) {
            return false;
        }
        Value operand = operands.get(next++);
        if (!(operand instanceof Int number)
                || number.value() > Directive.TOO_LARGE
                || number.value() < (number.kind().isUnsigned() ? 0 : -Directive.TOO_LARGE)) {
            return false;
        }
        starredValue = (int) number.value();
        return true;
    }

    /** Reads an operand number in brackets, if there is one. */
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
        int open = at;
        at = open + 1;
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

    private void verb() {
        if (at >= format.length()) {
            output.write("%!(NOVERB)");
            return;
        }
        int rune = Utf8.runeAt(format, at);
        at += Utf8.size(rune);
        int verb = rune == Utf8.BROKEN ? Utf8.REPLACEMENT : rune;
        if (verb == '%') {
            output.write('%');
        } else if (!goodIndex) {
            mark(verb, "(BADINDEX)");
        } else if (next >= operands.size()) {
            mark(verb, "(MISSING)");
        } else {
            if (verb == 'v' || verb == 'w') {
                directive.forVerbV();
            }
            printer.operand(operands.get(next++), verb);
        }
    }

    private void mark(int verb, String what) {
        output.write("%!").writeRune(verb);
        output.write(what);
    }

    private void extra() {
        directive.clear();
        output.write("%!(EXTRA ");
        for (int i = next; i < operands.size(); i++) {
            Value operand = operands.get(i);
            output.write(i > next ? ", " : "");
            if (operand instanceof Nil) {
                output.write("<nil>");
            } else {
                output.write(operand.type().toString()).write('=');
                printer.operand(operand, 'v');
            }
        }
        output.write(')');
    }
}

package io.osmhub.core.golang.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Go's {@code fmt}: {@code Sprint}, {@code Sprintln} and {@code Sprintf} over Go values, and the printing of a template's action.
 * All texts are byte strings.
 *
 * <p>The only difference: where Go prints a memory address, which differs from run to run, this prints {@code 0x200000000000}.
 *
 * <p>The variants with an {@link ExecutionEnvironment} charge text to its budget before creating it; they throw {@link
 * io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException} if a format such as {@code %9999999d} or a value that contains itself exceeds it.
 */
public final class GoPrint {
    private GoPrint() {}

    /** {@code fmt.Sprint}: the operands, with a blank between two of which neither is a string. */
    public static String sprint(List<GoValue> operands) {
        return sprint(null, operands);
    }

    /** As {@link #sprint(List)}, on a budget. */
    public static String sprint(@Nullable ExecutionEnvironment environment, List<GoValue> operands) {
        BudgetedBuffer output = new BudgetedBuffer(environment);
        ValuePrinter printer = new ValuePrinter(output);
        boolean afterString = true;
        for (GoValue operand : operands) {
            boolean isString = operand.kind() == GoKind.STRING;
            if (!isString && !afterString) {
                output.write(' ');
            }
            printer.printOperand(operand, 'v');
            afterString = isString;
        }
        return output.finish();
    }

    /** {@code fmt.Sprintln}: the operands separated by blanks and followed by a line feed. */
    public static String sprintln(List<GoValue> operands) {
        return sprintln(null, operands);
    }

    /** As {@link #sprintln(List)}, on a budget. */
    public static String sprintln(@Nullable ExecutionEnvironment environment, List<GoValue> operands) {
        BudgetedBuffer output = new BudgetedBuffer(environment);
        ValuePrinter printer = new ValuePrinter(output);
        for (int i = 0; i < operands.size(); i++) {
            output.write(i == 0 ? "" : " ");
            printer.printOperand(operands.get(i), 'v');
        }
        return output.write('\n').finish();
    }

    /** {@code fmt.Sprintf}; {@code format} is a byte string. */
    public static String sprintf(String format, List<GoValue> operands) {
        return sprintf(null, format, operands);
    }

    /** As {@link #sprintf(String, List)}, on a budget. */
    public static String sprintf(@Nullable ExecutionEnvironment environment, String format, List<GoValue> operands) {
        BudgetedBuffer output = new BudgetedBuffer(environment);
        new SprintfFormatter(format, operands, output).run();
        return output.finish();
    }

    /**
     * The text that a template's action prints for a value: pointers are followed, unless the pointer has a text method; an absent
     * value is {@code <no value>}.
     *
     * <p>Go cannot print a function this way; callers must reject it, see {@link #isPrintable}.
     */
    public static String display(GoValue value) {
        return display(null, value);
    }

    /** As {@link #display(GoValue)}, on a budget. */
    public static String display(@Nullable ExecutionEnvironment environment, GoValue value) {
        if (value instanceof GoString string && string.type() == GoType.STRING) {
            return string.bytes();
        }
        GoValue shown = printable(value);
        if (shown instanceof GoNoValue) {
            return "<no value>";
        }
        BudgetedBuffer output = new BudgetedBuffer(environment);
        new ValuePrinter(output).printOperand(shown, 'v');
        return output.finish();
    }

    /** Whether a template's action can print the value. */
    public static boolean isPrintable(GoValue value) {
        GoValue shown = printable(value);
        return shown.kind() != GoKind.FUNC || StringerPrinter.of(shown.type()) != null;
    }

    /** The value that an action prints: the target of its pointers, unless a pointer has a text method. */
    public static GoValue printable(GoValue value) {
        GoValue holder = value;
        GoValue target = value;
        while (target instanceof GoPointer pointer) {
            GoValue next = pointer.target();
            if (next == null) {
                return pointer;
            }
            holder = pointer;
            target = next;
        }
        boolean ownText = StringerPrinter.of(target.type()) != null;
        boolean pointerText = holder instanceof GoPointer && StringerPrinter.of(holder.type()) != null;
        return !ownText && pointerText ? holder : target;
    }

    /** One run of {@code Sprintf}: scans a format string and prints its operands. */
    private static final class SprintfFormatter {
        private final String format;
        private final List<GoValue> operands;
        private final ValuePrinter printer;
        private final FormatFlags directive;
        private final BudgetedBuffer output;

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

        SprintfFormatter(String format, List<GoValue> operands, BudgetedBuffer output) {
            this.format = format;
            this.operands = operands;
            this.printer = new ValuePrinter(output);
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
            while (at < format.length() && directive.setFlag(format.charAt(at))) {
                at++;
            }
            index();
            width();
            // A point at the end of the format counts as the verb.
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
                    // A negative width pads on the right, where zeros would change the number.
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

        /** Parses digits; -1 if there are none, or so many that the rest of the format is skipped. */
        private int number() {
            int value = -1;
            for (; at < format.length(); at++) {
                int digit = format.charAt(at) - '0';
                if (digit < 0 || digit > 9) {
                    break;
                }
                if (value > FormatFlags.TOO_LARGE) {
                    at = format.length();
                    return -1;
                }
                value = Math.max(value, 0) * 10 + digit;
            }
            return value;
        }

        private int starredValue;

        /** Reads an operand for a {@code *}; true if it is an integer of reasonable size. */
        private boolean starred() {
            starredValue = 0;
            if (next >= operands.size()) {
                return false;
            }
            GoValue operand = operands.get(next++);
            if (!(operand instanceof GoInt number)
                    || number.value() > FormatFlags.TOO_LARGE
                    || number.value() < (number.kind().isUnsigned() ? 0 : -FormatFlags.TOO_LARGE)) {
                return false;
            }
            starredValue = (int) number.value();
            return true;
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
            int rune = Utf8Runes.runeAt(format, at);
            at += Utf8Runes.size(rune);
            int verb = rune == Utf8Runes.BROKEN ? Utf8Runes.REPLACEMENT : rune;
            if (verb == '%') {
                output.write('%');
            } else if (!goodIndex) {
                mark(verb, "(BADINDEX)");
            } else if (next >= operands.size()) {
                mark(verb, "(MISSING)");
            } else {
                if (verb == 'v' || verb == 'w') {
                    directive.applyVerbV();
                }
                printer.printOperand(operands.get(next++), verb);
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
                GoValue operand = operands.get(i);
                output.write(i > next ? ", " : "");
                if (operand instanceof GoNil) {
                    output.write("<nil>");
                } else {
                    output.write(operand.type().toString()).write('=');
                    printer.printOperand(operand, 'v');
                }
            }
            output.write(')');
        }
    }

    /** The unexported fields of a {@link io.osmhub.core.golang.GoValue.GoOpaque} value's payload; only verbs such as {@code %d} print them. */
    public interface UnexportedFields {
        /** One value for each field of the value's type. */
        List<GoValue> fields();
    }
}

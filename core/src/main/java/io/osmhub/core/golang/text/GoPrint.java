package io.osmhub.core.golang.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoKind;
import io.osmhub.core.golang.GoNoValue;
import io.osmhub.core.golang.GoPointer;
import io.osmhub.core.golang.GoString;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Go's {@code fmt}: {@code Sprint}, {@code Sprintln} and {@code Sprintf} over Go values, and the printing of a template's action.
 * All texts are byte strings.
 *
 * <p>The only difference: where Go prints a memory address, which differs from run to run, this prints {@code 0x200000000000}.
 *
 * <p>The variants with an {@link ExecutionEnvironment} charge text to its budget before creating it; they throw {@link
 * io.osmhub.core.golang.LimitExceededException} if a format such as {@code %9999999d} or a value that contains itself exceeds it.
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
}

package io.osmhub.core.golang.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoType.GoKind;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoNoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.List;

/**
 * Go's {@code fmt}: {@code Sprint}, {@code Sprintln} and {@code Sprintf} over Go values, and the printing of a template's action.
 * All texts are byte strings.
 *
 * <p>The only difference: where Go prints a memory address, which differs from run to run, this prints {@code 0x200000000000}.
 *
 * <p>Text is charged to the environment as it grows; {@link io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException} is
 * thrown if a format such as {@code %9999999d}, or a value that contains itself, exceeds its limits.
 */
public final class GoPrint {
    private GoPrint() {}

    /** {@code fmt.Sprint}: the operands, with a blank between two of which neither is a string. */
    public static String sprint(ExecutionEnvironment environment, List<GoValue> operands) {
        PrintBuffer output = new PrintBuffer(environment);
        ValuePrinter printer = new ValuePrinter(output);
        boolean afterString = true;
        for (GoValue operand : operands) {
            boolean isString = operand.kind() == GoKind.STRING;
            output.write(isString || afterString ? "" : " ");
            printer.print(operand);
            afterString = isString;
        }
        return output.finish();
    }

    /** {@code fmt.Sprintln}: the operands separated by blanks and followed by a line feed. */
    public static String sprintln(ExecutionEnvironment environment, List<GoValue> operands) {
        PrintBuffer output = new PrintBuffer(environment);
        ValuePrinter printer = new ValuePrinter(output);
        for (int i = 0; i < operands.size(); i++) {
            output.write(i == 0 ? "" : " ");
            printer.print(operands.get(i));
        }
        return output.write('\n').finish();
    }

    /**
     * {@code fmt.Sprintf}.
     *
     * @param format a byte string
     * @throws GoCallException if the format uses {@code %U}, {@code %p} or {@code %#v}, or {@code %b} or {@code %x} for a float
     */
    public static String sprintf(ExecutionEnvironment environment, String format, List<GoValue> operands)
            throws GoCallException {
        return new FormatPrinter(environment, format, operands).print();
    }

    /**
     * The text that a template's action prints for a value: pointers are followed, unless the pointer has a text method; an absent
     * value is {@code <no value>}.
     *
     * <p>Go cannot print a function this way; callers must reject it, see {@link #isPrintable}.
     */
    public static String display(ExecutionEnvironment environment, GoValue value) {
        if (value instanceof GoString string && string.type() == GoType.STRING) {
            return string.bytes();
        }
        GoValue shown = printable(value);
        return shown instanceof GoNoValue ? "<no value>" : sprint(environment, List.of(shown));
    }

    /** Whether a template's action can print the value. */
    public static boolean isPrintable(GoValue value) {
        GoValue shown = printable(value);
        return shown.kind() != GoKind.FUNC || ValuePrinter.textMethod(shown.type()) != null;
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
        boolean ownText = ValuePrinter.textMethod(target.type()) != null;
        boolean pointerText = holder instanceof GoPointer && ValuePrinter.textMethod(holder.type()) != null;
        return !ownText && pointerText ? holder : target;
    }
}

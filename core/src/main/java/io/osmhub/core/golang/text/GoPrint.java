package io.osmhub.core.golang.text;

import io.osmhub.core.golang.Absent;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Kind;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Go's {@code fmt}: {@code Sprint}, {@code Sprintln} and {@code Sprintf} over Go values, and what a template's action prints of
 * one value. All texts are byte strings.
 *
 * <p>The same but for one thing: where Go prints a memory address, which differs from run to run, this prints
 * {@code 0x200000000000}.
 *
 * <p>The variants with an {@link Environment} charge what they make to its budget, before they make it; they end with {@link
 * io.osmhub.core.golang.LimitExceeded} where a format such as {@code %9999999d} or a value that contains itself asks for too
 * much.
 */
public final class GoPrint {
    private GoPrint() {}

    /** {@code fmt.Sprint}: the operands one after the other, with a blank between two of which neither is a string. */
    public static String sprint(List<Value> operands) {
        return sprint(null, operands);
    }

    /** As {@link #sprint(List)}, on a budget. */
    public static String sprint(@Nullable Environment environment, List<Value> operands) {
        Output output = new Output(environment);
        Printer printer = new Printer(output);
        boolean afterString = true;
        for (Value operand : operands) {
            boolean isString = operand.kind() == Kind.STRING;
            if (!isString && !afterString) {
                output.write(' ');
            }
            printer.operand(operand, 'v');
            afterString = isString;
        }
        return output.finish();
    }

    /** {@code fmt.Sprintln}: the operands with blanks between and a line feed behind them. */
    public static String sprintln(List<Value> operands) {
        return sprintln(null, operands);
    }

    /** As {@link #sprintln(List)}, on a budget. */
    public static String sprintln(@Nullable Environment environment, List<Value> operands) {
        Output output = new Output(environment);
        Printer printer = new Printer(output);
        for (int i = 0; i < operands.size(); i++) {
            output.write(i == 0 ? "" : " ");
            printer.operand(operands.get(i), 'v');
        }
        return output.write('\n').finish();
    }

    /** {@code fmt.Sprintf}; {@code format} is a byte string. */
    public static String sprintf(String format, List<Value> operands) {
        return sprintf(null, format, operands);
    }

    /** As {@link #sprintf(String, List)}, on a budget. */
    public static String sprintf(@Nullable Environment environment, String format, List<Value> operands) {
        Output output = new Output(environment);
        new Format(format, operands, output).run();
        return output.finish();
    }

    /**
     * What a template's action prints of a value: pointers are followed, unless it is the pointer that has a text of its own;
     * what is absent is {@code <no value>}.
     *
     * <p>In Go a function cannot be printed so; that is for the caller to refuse, see {@link #isPrintable}.
     */
    public static String display(Value value) {
        return display(null, value);
    }

    /** As {@link #display(Value)}, on a budget. */
    public static String display(@Nullable Environment environment, Value value) {
        if (value instanceof Str string && string.type() == Type.STRING) {
            return string.bytes();
        }
        Value shown = printable(value);
        if (shown instanceof Absent) {
            return "<no value>";
        }
        Output output = new Output(environment);
        new Printer(output).operand(shown, 'v');
        return output.finish();
    }

    /** Whether a template's action can print the value. */
    public static boolean isPrintable(Value value) {
        Value shown = printable(value);
        return shown.kind() != Kind.FUNC || TextMethods.of(shown.type()) != null;
    }

    /** The value that is printed for one that an action yields: what its pointers lead to, unless a pointer has its own text. */
    public static Value printable(Value value) {
        Value holder = value;
        Value target = value;
        while (target instanceof Pointer pointer) {
            Value next = pointer.target();
            if (next == null) {
                return pointer;
            }
            holder = pointer;
            target = next;
        }
        boolean ownText = TextMethods.of(target.type()) != null;
        boolean pointerText = holder instanceof Pointer && TextMethods.of(holder.type()) != null;
        return !ownText && pointerText ? holder : target;
    }
}

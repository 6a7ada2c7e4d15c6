package io.osmhub.core.template.functions;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoPrint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The arguments of one call, which the engine has checked against the function's type, and the budget that it is charged to. A
 * function whose result can be much larger than its arguments, or whose work grows faster than they do, charges before it begins.
 */
final class FunctionCall {
    /** Approximate memory of one element of a list or one value of a map. */
    static final int SLOT_BYTES = 32;

    private static final int CHARS_PER_STEP = 16;
    private static final int COMPARISONS_PER_STEP = 128;

    private final ExecutionEnvironment environment;
    private final List<GoValue> arguments;
    private long chargedBytes;

    FunctionCall(ExecutionEnvironment environment, List<GoValue> arguments) {
        this.environment = environment;
        this.arguments = arguments;
    }

    /** The body of a function. */
    @FunctionalInterface
    interface Body {
        /** @throws GoCallException where Go would return an error or panic */
        GoValue call(FunctionCall call) throws GoCallException;
    }

    ExecutionEnvironment environment() {
        return environment;
    }

    List<GoValue> arguments() {
        return arguments;
    }

    /** The memory that the function has charged, which counts for its result. */
    long chargedBytes() {
        return chargedBytes;
    }

    int count() {
        return arguments.size();
    }

    GoValue value(int index) {
        return arguments.get(index);
    }

    /** A string's bytes, one char each. */
    String text(int index) {
        return ((GoString) arguments.get(index)).bytes();
    }

    long integer(int index) {
        return ((GoInt) arguments.get(index)).value();
    }

    boolean bool(int index) {
        return ((GoBool) arguments.get(index)).value();
    }

    GoMap map(int index) {
        return (GoMap) arguments.get(index);
    }

    /** The elements of an argument that the function's type leaves open. */
    List<GoValue> list(int index) throws GoCallException {
        GoValue value = arguments.get(index);
        if (value instanceof GoSlice list) {
            return list.elements();
        }
        throw new GoCallException("expected a list, got "
                + (value instanceof GoNil ? "nil" : value.kind().goName()));
    }

    /** The arguments after the first {@code count}. */
    List<GoValue> rest(int count) {
        return arguments.subList(count, arguments.size());
    }

    /** What {@code %v} prints. */
    String print(GoValue value) {
        return GoPrint.sprint(environment, List.of(value));
    }

    /** The text of a value: bytes as they are, anything else as {@code %v} prints it. */
    String toText(GoValue value) {
        if (value instanceof GoString text && text.type().equals(GoType.STRING)) {
            return text.bytes();
        }
        if (value instanceof GoSlice slice && slice.type().equals(GoType.BYTES)) {
            chargeText(slice.length());
            StringBuilder text = new StringBuilder(slice.length());
            slice.elements().forEach(element -> text.append((char) (((GoInt) element).value() & 0xFF)));
            return text.toString();
        }
        return print(value);
    }

    /** The texts of a list's elements but nil ones; any other value is a list of itself, and nil is an empty one. */
    List<String> toTexts(GoValue value) {
        if (value instanceof GoNil) {
            return List.of();
        }
        if (!(value instanceof GoSlice list)) {
            return List.of(toText(value));
        }
        chargeSlots(list.length());
        List<String> texts = new ArrayList<>(list.length());
        for (GoValue element : list.elements()) {
            if (!(element instanceof GoNil)) {
                texts.add(toText(element));
            }
        }
        return texts;
    }

    /** The result; after an error that Go has too, what {@code otherwise} makes of its text. */
    GoValue orElse(Body body, Function<String, GoValue> otherwise) throws GoCallException {
        try {
            return body.call(this);
        } catch (GoCallException failure) {
            if (failure.refused() != null) {
                throw failure;
            }
            return otherwise.apply(failure.text());
        }
    }

    /** Charges work in small steps. */
    void charge(long steps) {
        environment.charge(steps, 0);
    }

    /** Charges a text of that length before it is created. */
    void chargeText(long chars) {
        charge(1 + chars / CHARS_PER_STEP, chars);
    }

    /** Charges a list or map of that many elements before it is created. */
    void chargeSlots(long count) {
        charge(count, Math.min(count, Long.MAX_VALUE / SLOT_BYTES) * SLOT_BYTES);
    }

    private void charge(long steps, long bytes) {
        environment.charge(steps, bytes);
        chargedBytes += bytes;
    }

    /** Charges a search for one text in another; in the worst case they are compared at each position. */
    void chargeSearch(String subject, String needle) {
        environment.charge((long) subject.length() * needle.length() / COMPARISONS_PER_STEP, 0);
    }
}

package io.osmhub.core.golang.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoPointer;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints values with a text method: {@code Error}, {@code String} or {@code GoString}. */
final class StringerPrinter {
    private final ValuePrinter printer;

    StringerPrinter(ValuePrinter printer) {
        this.printer = printer;
    }

    /** The method with which Go prints values of a type; null if none. {@code Error} precedes {@code String}. */
    static GoType.@Nullable Method of(GoType type) {
        GoType.Method error = textMethod(type, "Error");
        return error == null ? textMethod(type, "String") : error;
    }

    private static GoType.@Nullable Method textMethod(GoType type, String name) {
        GoType.Method method = type.method(name);
        boolean fits = method != null
                && method.signature().parameters().isEmpty()
                && GoType.STRING.equals(method.signature().result());
        return fits ? method : null;
    }

    /** Prints with a method that fits the verb; false if there is none. */
    boolean print(GoValue value, int verb) {
        if (printer.directive.sharpV) {
            GoType.Method method = textMethod(value.type(), "GoString");
            if (method == null) {
                return false;
            }
            print(method, value, verb, true);
            return true;
        }
        switch (verb) {
            case 'v', 's', 'x', 'X', 'q' -> {
                GoType.Method method = of(value.type());
                if (method == null) {
                    return false;
                }
                print(method, value, verb, false);
                return true;
            }
            default -> {
                return false;
            }
        }
    }

    private void print(GoType.Method method, GoValue value, int verb, boolean asGoSyntax) {
        GoValue receiver = value;
        if (value instanceof GoPointer pointer && !method.onPointer()) {
            GoValue target = pointer.target();
            if (target == null) {
                // Go's method panics on the nil pointer, which prints this.
                printer.output.write("<nil>");
                return;
            }
            receiver = target;
        }
        try {
            GoValue text = method.code().call(environment(), List.of(receiver));
            String bytes = text instanceof GoString string ? string.bytes() : "";
            printer.text(value, bytes, asGoSyntax ? 's' : verb);
        } catch (GoCallException failure) {
            panicked(method, value, verb, failure);
        }
    }

    private ExecutionEnvironment environment() {
        ExecutionEnvironment environment = printer.output.environment();
        return environment == null ? UnlimitedEnvironment.INSTANCE : environment;
    }

    private void panicked(GoType.Method method, GoValue value, int verb, GoCallException failure) {
        if (value instanceof GoPointer pointer && pointer.isNil()) {
            printer.output.write("<nil>");
            return;
        }
        FormatFlags saved = printer.directive.copy();
        printer.directive.clear();
        printer.output.write("%!").writeRune(verb);
        printer.output
                .write("(PANIC=")
                .write(method.name())
                .write(" method: ")
                .write(failure.text())
                .write(')');
        printer.directive.restore(saved);
    }

    /** Printing outside of templates: without limits. Text methods need neither clock nor randomness. */
    private enum UnlimitedEnvironment implements ExecutionEnvironment {
        INSTANCE;

        @Override
        public void charge(long steps, long bytes) {
            // Nothing is limited.
        }

        @Override
        public void chargeOutput(long bytes) {
            // Nothing is limited.
        }

        @Override
        public void enterLevel() {
            // Nothing is limited.
        }

        @Override
        public void leaveLevel() {
            // Nothing is limited.
        }

        @Override
        public void checkTimeLimit() {}

        @Override
        public void startFile() {
            // Nothing is limited.
        }
    }
}

package io.osmhub.core.golang.text;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Pointer;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints values that have a text of their own: an {@code Error}, {@code String} or {@code GoString} method. */
final class TextMethods {
    private final Printer printer;

    TextMethods(Printer printer) {
        this.printer = printer;
    }

    /** The method by which Go prints values of a type; null when there is none. {@code Error} goes before {@code String}. */
    static Type.@Nullable Method of(Type type) {
        Type.Method error = textMethod(type, "Error");
        return error == null ? textMethod(type, "String") : error;
    }

    private static Type.@Nullable Method textMethod(Type type, String name) {
        Type.Method method = type.method(name);
        boolean fits = method != null
                && method.signature().parameters().isEmpty()
                && Type.STRING.equals(method.signature().result());
        return fits ? method : null;
    }

    /** Prints by a method that fits the verb; false when there is none. */
    boolean print(Value value, int verb) {
        if (printer.directive.sharpV) {
            Type.Method method = textMethod(value.type(), "GoString");
            if (method == null) {
                return false;
            }
            print(method, value, verb, true);
            return true;
        }
        switch (verb) {
            case 'v', 's', 'x', 'X', 'q' -> {
                Type.Method method = of(value.type());
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

    private void print(Type.Method method, Value value, int verb, boolean asGoSyntax) {
        Value receiver = value;
        if (value instanceof Pointer pointer && !method.onPointer()) {
            Value target = pointer.target();
            if (target == null) {
                // Go's method stumbles over the nil pointer, and printing says just this.
                printer.output.write("<nil>");
                return;
            }
            receiver = target;
        }
        try {
            Value text = method.code().call(environment(), List.of(receiver));
            String bytes = text instanceof Str string ? string.bytes() : "";
            printer.text(value, bytes, asGoSyntax ? 's' : verb);
        } catch (CallFailure failure) {
            panicked(method, value, verb, failure);
        }
    }

    private Environment environment() {
        Environment environment = printer.output.environment();
        return environment == null ? NoEnvironment.INSTANCE : environment;
    }

    private void panicked(Type.Method method, Value value, int verb, CallFailure failure) {
        if (value instanceof Pointer pointer && pointer.isNil()) {
            printer.output.write("<nil>");
            return;
        }
        Directive saved = printer.directive.copy();
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
}

package io.osmhub.core.golang;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A function value; {@code code} is null for a nil function. */
public record Func(Type type, @Nullable Code code) implements Value {
    /** What runs when a function is called. Its arguments have been checked against the function's type. */
    @FunctionalInterface
    public interface Code {
        /**
         * Runs the function. A variadic function gets its rest arguments one by one.
         *
         * @throws CallFailure where Go would return an error
         */
        Value call(Environment environment, List<Value> arguments) throws CallFailure;
    }
}

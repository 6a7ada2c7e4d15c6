package io.osmhub.core.golang;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A function value; {@code code} is null for a nil function. */
public record GoFunction(GoType type, @Nullable Code code) implements GoValue {
    /** The implementation of a function. Its arguments have been checked against the function's type. */
    @FunctionalInterface
    public interface Code {
        /**
         * Calls the function. A variadic function gets its variadic arguments one by one.
         *
         * @throws GoCallException where Go would return an error
         */
        GoValue call(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException;
    }
}

package io.osmhub.core.template.functions;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Calls functions of a family directly, without a template. */
final class Functions {
    private final FunctionRegistry functions;
    private final ExecutionEnvironment environment;

    Functions(Consumer<FunctionRegistry.Builder> family) {
        this(family, RenderLimits.DEFAULT);
    }

    Functions(Consumer<FunctionRegistry.Builder> family, RenderLimits limits) {
        FunctionRegistry.Builder builder = FunctionRegistry.builder();
        family.accept(builder);
        functions = builder.build();
        environment = new Sandbox.Factory(limits, () -> 0).open();
    }

    ExecutionEnvironment environment() {
        return environment;
    }

    GoValue call(String name, GoValue... arguments) throws GoCallException {
        return Objects.requireNonNull(
                        Objects.requireNonNull(functions.get(name), name).code())
                .call(environment, List.of(arguments));
    }

    /** The result of a function that gives a string, as bytes. */
    String text(String name, GoValue... arguments) throws GoCallException {
        return ((GoString) call(name, arguments)).bytes();
    }

    /** A field of a result that is a struct, as bytes. */
    static String field(GoValue struct, int index) {
        return ((GoString) ((GoStruct) struct).field(index)).bytes();
    }
}

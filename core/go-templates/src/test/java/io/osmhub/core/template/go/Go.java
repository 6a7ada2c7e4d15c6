package io.osmhub.core.template.go;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.corpus.CorpusValues;
import io.osmhub.core.template.functions.FunctionRegistry;
import java.util.ArrayList;
import java.util.Locale;

/** Runs small templates for tests, named {@code t}, over data in the corpus's form. */
final class Go {
    static final FunctionRegistry FUNCTIONS = functions()
            .add("list", new GoFunction(GoType.variadic(GoType.LIST, GoType.ANY), (environment, items) -> {
                return GoSlice.of(new ArrayList<>(items));
            }))
            .add("upper", new GoFunction(GoType.function(GoType.STRING, GoType.STRING), (environment, arguments) -> {
                return GoString.of(((GoString) arguments.getFirst()).text().toUpperCase(Locale.ROOT));
            }))
            .add("fail", new GoFunction(GoType.function(GoType.STRING, GoType.STRING), (environment, arguments) -> {
                throw new GoCallException(((GoString) arguments.getFirst()).bytes());
            }))
            .build();

    private Go() {}

    /** The language's own functions, to add others. */
    static FunctionRegistry.Builder functions() {
        FunctionRegistry.Builder functions = FunctionRegistry.builder();
        BuiltinFunctions.addTo(functions);
        return functions;
    }

    static GoValue data(String json) {
        try {
            return CorpusValues.standard().decode(new ObjectMapper().readTree(json));
        } catch (JsonProcessingException failure) {
            throw new IllegalArgumentException(json, failure);
        }
    }

    static ExecutionEnvironment environment(RenderLimits limits) {
        return new Sandbox.Factory(limits, () -> 0).open();
    }

    static String render(String template, String json) {
        try {
            String output = GoTemplate.parse("t", GoString.bytes(template), FUNCTIONS)
                    .execute(data(json), environment(RenderLimits.DEFAULT));
            return GoString.text(output);
        } catch (TemplateException failure) {
            throw new AssertionError(failure.getMessage(), failure);
        }
    }

    static String render(String template) {
        return render(template, "null");
    }

    static TemplateException failure(String template, String json, RenderLimits limits) {
        try {
            String output =
                    GoTemplate.parse("t", GoString.bytes(template), FUNCTIONS).execute(data(json), environment(limits));
            throw new AssertionError("rendered: " + output);
        } catch (TemplateException failure) {
            return failure;
        }
    }

    static TemplateException failure(String template, String json) {
        return failure(template, json, RenderLimits.DEFAULT);
    }

    /** The message of a template that needs no data. */
    static String error(String template) {
        return error(template, "null");
    }

    static String error(String template, String json) {
        return String.valueOf(failure(template, json).getMessage());
    }
}

package io.osmhub.core.template.handlebars;

import com.github.jknack.handlebars.Helper;
import com.github.jknack.handlebars.Options;
import com.github.jknack.handlebars.TagType;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.FunctionCatalog;
import io.osmhub.core.template.FunctionCatalog.FunctionReference.Language;
import io.osmhub.core.template.functions.FunctionRegistry;
import io.osmhub.core.template.functions.HandlebarsFunctions;
import io.osmhub.core.template.functions.HandlebarsValues;
import io.osmhub.core.template.handlebars.HandlebarsErrors.HelperException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls {@link HandlebarsFunctions} as helpers. */
final class FunctionHelpers {
    private static final FunctionRegistry FUNCTIONS = HandlebarsFunctions.registry();

    private FunctionHelpers() {}

    static Set<String> names() {
        return FUNCTIONS.names();
    }

    static @Nullable Helper<Object> find(String name) {
        GoFunction function = FUNCTIONS.get(name);
        return function == null ? null : (first, options) -> call(name, function, first, options);
    }

    /** As a block a function gets the block's text as its last argument, and its result is the text of the block. */
    private static Object call(String name, GoFunction function, @Nullable Object first, Options options)
            throws IOException {
        ExecutionEnvironment environment = HandlebarsExecution.current().environment();
        boolean block = options.tagType == TagType.SECTION;
        List<GoValue> arguments = arguments(first, options);
        if (block) {
            String text = HandlebarsExecution.render(options.fn, options.context, environment, false);
            arguments.add(GoString.of(text));
        }
        options.hash.forEach((key, value) -> {
            if (!name.equals("dict")) {
                throw new HelperException(name + " has no argument named " + key, "write " + signature(name));
            }
            arguments.add(GoString.of(key));
            arguments.add(argument(value));
        });
        try {
            List<GoValue> converted = convert(name, arguments, function.type(), environment);
            GoValue result = Objects.requireNonNull(function.code()).call(environment, converted);
            return block ? GoString.text(HandlebarsValues.text(result, environment)) : result;
        } catch (GoCallException failure) {
            throw new HelperException(name + ": " + failure.text(), null);
        }
    }

    private static List<GoValue> convert(
            String name, List<GoValue> arguments, GoType type, ExecutionEnvironment environment)
            throws GoCallException {
        List<GoType> parameters = type.parameters();
        int count = arguments.size();
        int required = parameters.size() - (type.variadic() ? 1 : 0);
        if (count < required || (count > required && !type.variadic())) {
            throw new HelperException(name + " called with " + count + " arguments", "write " + signature(name));
        }
        List<GoValue> converted = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            GoType parameter =
                    i < required ? parameters.get(i) : parameters.getLast().elem();
            converted.add(HandlebarsValues.convert(arguments.get(i), parameter, i + 1, environment));
        }
        return converted;
    }

    private static List<GoValue> arguments(@Nullable Object first, Options options) {
        List<GoValue> arguments = new ArrayList<>(options.params.length + 2);
        // Without parameters the library passes what it takes for the value of the context as the first one.
        if (first != TemplateContext.MODEL) {
            arguments.add(argument(first));
        }
        for (Object parameter : options.params) {
            arguments.add(argument(parameter));
        }
        return arguments;
    }

    /** A value of the library: a literal of the template, the result of a lookup or helper. */
    static GoValue argument(@Nullable Object object) {
        return switch (object) {
            case GoValue value -> value;
            case HelperException missing -> throw missing;
            case String literal -> GoString.of(unescape(literal));
            case Boolean bool -> GoBool.of(bool);
            case Integer integer -> GoInt.of(integer);
            case Double number
            when number == Math.rint(number) && Math.abs(number) < 1L << 53 -> GoInt.of(number.longValue());
            case Double number -> GoFloat.of(number);
            case null, default -> throw new HelperException("the value of this name cannot be used", null);
        };
    }

    /** Strings of the language have only an escape for their quote; line breaks and tabs are added for separators. */
    private static String unescape(String literal) {
        StringBuilder text = new StringBuilder(literal.length());
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            char next = c == '\\' && i + 1 < literal.length() ? literal.charAt(i + 1) : 0;
            int escape = next == 0 ? -1 : "nrt\\".indexOf(next);
            if (escape >= 0) {
                i++;
            }
            text.append(escape < 0 ? c : "\n\r\t\\".charAt(escape));
        }
        return text.toString();
    }

    /** The text that a tag prints. */
    static String print(Object object) {
        ExecutionEnvironment environment = HandlebarsExecution.current().environment();
        try {
            return GoString.text(HandlebarsValues.text(argument(object), environment));
        } catch (GoCallException unprintable) {
            throw new HelperException(unprintable.text(), null);
        }
    }

    private static String signature(String name) {
        return FunctionCatalog.find(Language.HANDLEBARS, name).orElseThrow().signature();
    }
}

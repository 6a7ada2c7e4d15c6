package io.osmhub.deploy.config;

import io.osmhub.core.document.SourcePosition;
import io.osmhub.deploy.render.InputError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects the errors of all layers with their positions. */
final class ConfigurationErrors {
    static final String ENVIRONMENT = "environment";

    private final Set<InputError> all = new LinkedHashSet<>();

    /** Adds an error in the value of a key. */
    void add(ValueOrigin origin, String key, String what, String cure) {
        all.add(
                switch (origin) {
                    case ValueOrigin.BuiltIn() -> new InputError("built-in", SourcePosition.NONE, key, what, cure);
                    case ValueOrigin.Pod(var variable) ->
                        new InputError(ENVIRONMENT, SourcePosition.NONE, variable, what, cure);
                    case ValueOrigin.File(var name, var at) -> new InputError(name, at, key, what, cure);
                    case ValueOrigin.Environment(var variable) ->
                        new InputError(ENVIRONMENT, SourcePosition.NONE, variable, what, cure);
                    case ValueOrigin.CommandLine(var option, var value) ->
                        option.equals("--set")
                                ? new InputError(option, SourcePosition.NONE, key, what, cure)
                                // The preceding column already shows the value.
                                : new InputError(option, SourcePosition.NONE, value, withoutValue(what, value), cure);
                });
    }

    private static String withoutValue(String what, String value) {
        String start = "\"" + value + "\" is ";
        return what.startsWith(start) ? what.substring(start.length()) : what;
    }

    /** Adds an error outside the value of a key. */
    void add(String source, SourcePosition at, String subject, String what, String cure) {
        all.add(new InputError(source, at, subject, what, cure));
    }

    ValueType.ErrorReporter in(String file) {
        return (at, key, what, cure) -> add(file, at, key, what, cure);
    }

    ValueType.ErrorReporter of(ValueOrigin origin) {
        return (at, key, what, cure) -> add(origin, key, what, cure);
    }

    List<InputError> all() {
        return new ArrayList<>(all);
    }
}

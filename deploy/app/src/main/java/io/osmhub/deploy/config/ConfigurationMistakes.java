package io.osmhub.deploy.config;

import io.osmhub.core.document.Position;
import io.osmhub.deploy.render.Mistake;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects what is wrong with all layers, each with the place that people look at. */
final class ConfigurationMistakes {
    static final String ENVIRONMENT = "environment";

    private final Set<Mistake> all = new LinkedHashSet<>();

    /** About the value of a key. */
    void add(Origin origin, String key, String what, String cure) {
        all.add(
                switch (origin) {
                    case Origin.BuiltIn() -> new Mistake("built-in", Position.NONE, key, what, cure);
                    case Origin.Pod(var variable) -> new Mistake(ENVIRONMENT, Position.NONE, variable, what, cure);
                    case Origin.File(var name, var at) -> new Mistake(name, at, key, what, cure);
                    case Origin.Environment(var variable) ->
                        new Mistake(ENVIRONMENT, Position.NONE, variable, what, cure);
                    case Origin.CommandLine(var option, var value) ->
                        option.equals("--set")
                                ? new Mistake(option, Position.NONE, key, what, cure)
                                // The value stands in the column before.
                                : new Mistake(option, Position.NONE, value, withoutValue(what, value), cure);
                });
    }

    private static String withoutValue(String what, String value) {
        String start = "\"" + value + "\" is ";
        return what.startsWith(start) ? what.substring(start.length()) : what;
    }

    /** About something that is no key's value. */
    void add(String source, Position at, String subject, String what, String cure) {
        all.add(new Mistake(source, at, subject, what, cure));
    }

    Form.Reporter in(String file) {
        return (at, key, what, cure) -> add(file, at, key, what, cure);
    }

    Form.Reporter of(Origin origin) {
        return (at, key, what, cure) -> add(origin, key, what, cure);
    }

    List<Mistake> all() {
        return new ArrayList<>(all);
    }
}

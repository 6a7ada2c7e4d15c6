package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Str;
import java.util.function.UnaryOperator;

/** All of sprig's text map. What a profile sees under the same name from OSM itself is to be added after it. */
public final class Sprig {
    private static final int CHARS_PER_STEP = 256;

    private Sprig() {}

    /** The functions for a process that has environment variables; {@code variables} gives "" for one that is not set. */
    public static void addTo(Registry functions, UnaryOperator<String> variables) {
        Registry registry = (name, signature, code) -> functions.add(name, signature, charged(code));
        Strings.addTo(registry);
        Casing.addTo(registry);
        Wrapping.addTo(registry);
        StringLists.addTo(registry);
        Numbers.addTo(registry);
        Dates.addTo(registry);
        Decimals.addTo(registry);
        Sequences.addTo(registry);
        Defaults.addTo(registry);
        Lists.addTo(registry);
        Dicts.addTo(registry);
        Merging.addTo(registry);
        Reflection.addTo(registry);
        Paths.addTo(registry);
        Regexes.addTo(registry);
        Encodings.addTo(registry);
        Json.addTo(registry);
        Versions.addTo(registry);
        Urls.addTo(registry);
        RandomStrings.addTo(registry);
        Hashes.addTo(registry);
        Passwords.addTo(registry);
        Ciphers.addTo(registry);
        Certificates.addTo(registry);
        Host.addTo(registry, variables);
    }

    /** Charges for reading the texts among the arguments, which every function may do once without saying so. */
    private static Func.Code charged(Func.Code code) {
        return (environment, arguments) -> {
            long chars = 0;
            for (int i = 0; i < arguments.size(); i++) {
                chars += arguments.get(i) instanceof Str text ? text.bytes().length() : 0;
            }
            environment.charge(chars / CHARS_PER_STEP, 0);
            return code.call(environment, arguments);
        };
    }
}

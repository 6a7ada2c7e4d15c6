package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.sprig.NumberFunctions.DecimalFunctions;
import io.osmhub.core.template.sprig.NumberFunctions.SequenceFunctions;
import java.util.function.UnaryOperator;

/** All of sprig's text map. OSM's functions of the same names must be added after it. */
public final class SprigFunctions {
    private static final int CHARS_PER_STEP = 256;

    private SprigFunctions() {}

    /** The functions with environment variables; {@code variables} returns "" for one that is not set. */
    public static void addTo(FunctionRegistry functions, UnaryOperator<String> variables) {
        FunctionRegistry registry = (name, signature, code) -> functions.add(name, signature, charged(code));
        StringFunctions.addTo(registry);
        CaseFunctions.addTo(registry);
        WrapFunctions.addTo(registry);
        StringListFunctions.addTo(registry);
        NumberFunctions.addTo(registry);
        DateFunctions.addTo(registry);
        DecimalFunctions.addTo(registry);
        SequenceFunctions.addTo(registry);
        DefaultFunctions.addTo(registry);
        ListFunctions.addTo(registry);
        DictFunctions.addTo(registry);
        MergeFunctions.addTo(registry);
        ReflectionFunctions.addTo(registry);
        PathFunctions.addTo(registry);
        RegexFunctions.addTo(registry);
        EncodingFunctions.addTo(registry);
        JsonFunctions.addTo(registry);
        SemverFunctions.addTo(registry);
        UrlFunctions.addTo(registry);
        RandomStringFunctions.addTo(registry);
        HashFunctions.addTo(registry);
        PasswordFunctions.addTo(registry);
        CipherFunctions.addTo(registry);
        CertificateFunctions.addTo(registry);
        HostFunctions.addTo(registry, variables);
    }

    /** Charges for reading the text arguments, which every function may do once. */
    private static GoFunction.Code charged(GoFunction.Code code) {
        return (environment, arguments) -> {
            long chars = 0;
            for (int i = 0; i < arguments.size(); i++) {
                chars +=
                        arguments.get(i) instanceof GoString text ? text.bytes().length() : 0;
            }
            environment.charge(chars / CHARS_PER_STEP, 0);
            return code.call(environment, arguments);
        };
    }
}

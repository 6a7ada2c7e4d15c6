package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Func;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Value;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

/** Calls functions of a family directly, without a template. */
final class Functions {
    private final Map<String, Func.Code> codes = new HashMap<>();
    private final Environment environment;

    Functions(Consumer<Registry> family) {
        this(family, Limits.DEFAULT);
    }

    Functions(Consumer<Registry> family, Limits limits) {
        family.accept((name, signature, code) -> codes.put(name, code));
        environment = new Sandbox.Factory(
                        limits,
                        InstantSource.fixed(Instant.parse("2026-05-06T07:08:09.5Z")),
                        ZoneOffset.UTC,
                        new Random(1),
                        () -> 0)
                .open();
    }

    Environment environment() {
        return environment;
    }

    Value call(String name, Value... arguments) throws CallFailure {
        return Objects.requireNonNull(codes.get(name), name).call(environment, List.of(arguments));
    }

    /** The result of a function that gives a string, as bytes. */
    String text(String name, Value... arguments) throws CallFailure {
        return ((Str) call(name, arguments)).bytes();
    }

    /** A field of a result that is a struct, as bytes. */
    static String field(Value struct, int index) {
        return ((Str) ((Struct) struct).field(index)).bytes();
    }
}

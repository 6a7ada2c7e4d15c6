package io.osmhub.core.template.go;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.corpus.CorpusValues;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.TemplateFailure;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Random;

/** Runs small templates for tests, named {@code t}, over data in the corpus's form. */
final class Go {
    static final FunctionTable FUNCTIONS = FunctionTable.withBuiltins()
            .add(
                    "list",
                    Signatures.func("func(...any) []any"),
                    (environment, items) -> Slice.of(new ArrayList<>(items)))
            .add(
                    "upper",
                    Signatures.func("func(string) string"),
                    (environment, arguments) ->
                            Str.of(((Str) arguments.getFirst()).text().toUpperCase(Locale.ROOT)))
            .add("fail", Signatures.func("func(string) (string, error)"), (environment, arguments) -> {
                throw new CallFailure(((Str) arguments.getFirst()).bytes());
            })
            .build();

    private Go() {}

    static Value data(String json) {
        try {
            return CorpusValues.standard().decode(new ObjectMapper().readTree(json));
        } catch (JsonProcessingException failure) {
            throw new IllegalArgumentException(json, failure);
        }
    }

    static Environment environment(Limits limits) {
        InstantSource clock = InstantSource.fixed(Instant.EPOCH);
        return new Sandbox.Factory(limits, clock, ZoneOffset.UTC, new Random(1), () -> 0).open();
    }

    static String render(String template, String json) {
        try {
            String output = GoTemplate.parse("t", Str.bytes(template), FUNCTIONS)
                    .execute(data(json), environment(Limits.DEFAULT));
            return Str.text(output);
        } catch (TemplateFailure failure) {
            throw new AssertionError(failure.getMessage(), failure);
        }
    }

    static String render(String template) {
        return render(template, "null");
    }

    static TemplateFailure failure(String template, String json, Limits limits) {
        try {
            String output =
                    GoTemplate.parse("t", Str.bytes(template), FUNCTIONS).execute(data(json), environment(limits));
            throw new AssertionError("rendered: " + output);
        } catch (TemplateFailure failure) {
            return failure;
        }
    }

    static TemplateFailure failure(String template, String json) {
        return failure(template, json, Limits.DEFAULT);
    }

    /** The message of a template that needs no data. */
    static String error(String template) {
        return error(template, "null");
    }

    static String error(String template, String json) {
        return String.valueOf(failure(template, json).getMessage());
    }
}

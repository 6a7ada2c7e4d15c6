package io.osmhub.core.corpus;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Str;
import io.osmhub.core.template.Limits;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.go.FunctionTable;
import io.osmhub.core.template.go.GoTemplate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Runs template cases, one JSON object a line, and compares with what Go gave: the output's bytes, or the error. */
public final class GoTemplateCorpus {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    /** How errors are compared. */
    public enum Errors {
        /** Whether it was refused before or during the execution. */
        BY_CLASS,
        /** The whole message. */
        BY_TEXT
    }

    /** How one case went; {@code difference} is empty when it passed. */
    public record Outcome(String id, String difference) {
        public boolean passed() {
            return difference.isEmpty();
        }
    }

    /** How all cases went. */
    public record Report(List<Outcome> outcomes) {
        public List<Outcome> failed() {
            return outcomes.stream().filter(outcome -> !outcome.passed()).toList();
        }

        /** The line for people: {@code N passed, N failed}. */
        public String summary() {
            int failed = failed().size();
            return outcomes.size() - failed + " passed, " + failed + " failed";
        }
    }

    private final FunctionTable functions;
    private final CorpusValues values;
    private final Errors errors;

    public GoTemplateCorpus(FunctionTable functions, CorpusValues values, Errors errors) {
        this.functions = functions;
        this.values = values;
        this.errors = errors;
    }

    /** Runs the cases whose id is wanted. */
    public Report run(Stream<String> lines, Predicate<String> wanted) {
        return new Report(lines.filter(line -> !line.isBlank())
                .map(GoTemplateCorpus::parse)
                .filter(test -> wanted.test(test.get("id").asText()))
                .map(test -> new Outcome(test.get("id").asText(), difference(test)))
                .toList());
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException failure) {
            throw new IllegalArgumentException("no JSON: " + line, failure);
        }
    }

    private String difference(JsonNode test) {
        String wanted = wanted(test);
        String got = got(test);
        return wanted.equals(got)
                ? ""
                : "template: " + test.get("template") + "\nwanted: " + wanted + "\n   got: " + got;
    }

    private String wanted(JsonNode test) {
        JsonNode error = test.get("error");
        if (error != null) {
            return error(error.get("class").asText(), error.get("text").asText());
        }
        JsonNode encoded = test.get("want_b64");
        return encoded == null
                ? Str.bytes(test.get("want").asText())
                : new String(Base64.getDecoder().decode(encoded.asText()), ISO_8859_1);
    }

    private String error(String kind, String text) {
        return errors == Errors.BY_CLASS ? kind + " error" : kind + " error: " + text;
    }

    private String got(JsonNode test) {
        try {
            GoTemplate template =
                    GoTemplate.parse("t", Str.bytes(test.get("template").asText()), functions);
            return execute(template, test);
        } catch (TemplateFailure failure) {
            return error("parse", String.valueOf(failure.getMessage()));
        } catch (RuntimeException fault) {
            return "fault of the engine: " + fault + " at "
                    + Stream.of(fault.getStackTrace()).limit(4).toList();
        }
    }

    private String execute(GoTemplate template, JsonNode test) {
        try {
            return template.execute(values.decode(test.get("data")), environment());
        } catch (TemplateFailure failure) {
            return error("exec", String.valueOf(failure.getMessage()));
        }
    }

    /** Bounds are wide, because the cases are about what templates give and not about what they may cost. */
    private static Environment environment() {
        Limits limits = new Limits(64L << 20, 50_000_000, 1_000, Duration.ofSeconds(60));
        return new Sandbox.Factory(limits, InstantSource.fixed(NOW), ZoneOffset.UTC, new Random(1), System::nanoTime)
                .open();
    }
}

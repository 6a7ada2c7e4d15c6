package io.osmhub.core.template.corpus;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.functions.FunctionRegistry;
import io.osmhub.core.template.go.GoTemplate;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Templates with what Go gave for them: the output, byte for byte, or the error. */
public final class GoTemplateCorpus {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> RESULTS = List.of("want", "want_b64", "error");

    /** Wide, because the cases are about what templates give and not about what they may cost. */
    private static final RenderLimits LIMITS = new RenderLimits(64L << 20, 50_000_000, 1_000, Duration.ofSeconds(60));

    private final FunctionRegistry functions;
    private final CorpusValues values;

    public GoTemplateCorpus(FunctionRegistry functions, CorpusValues values) {
        this.functions = functions;
        this.values = values;
    }

    /** Runs the cases of a {@code cases.jsonl}, one a line. */
    public CorpusReport run(List<String> lines) {
        CorpusReport.Builder report = new CorpusReport.Builder();
        for (String line : lines) {
            JsonNode test = parse(line);
            report.compare(test.path("id").asText(), test.path("template").toString(), want(test), said(outcome(test)));
        }
        return report.build();
    }

    /** The line with our result. */
    public String answer(String line) {
        Map<String, String> result = new LinkedHashMap<>();
        switch (outcome(parse(line))) {
            case Outcome.Output(String bytes) -> {
                String text = GoString.text(bytes);
                if (GoString.bytes(text).equals(bytes)) {
                    result.put("want", JsonLine.quote(text));
                } else {
                    byte[] output = bytes.getBytes(ISO_8859_1);
                    result.put("want_b64", JsonLine.quote(Base64.getEncoder().encodeToString(output)));
                }
            }
            case Outcome.Refused(String stage, String text) ->
                result.put("error", "{\"class\":" + JsonLine.quote(stage) + ",\"text\":" + JsonLine.quote(text) + "}");
        }
        return JsonLine.parse(line).with(RESULTS, result);
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException failure) {
            throw new IllegalArgumentException("not JSON: " + line, failure);
        }
    }

    private static String want(JsonNode test) {
        JsonNode error = test.path("error");
        if (error.isObject()) {
            return error(error.path("class").asText());
        }
        JsonNode encoded = test.path("want_b64");
        return encoded.isMissingNode()
                ? GoString.bytes(test.path("want").asText())
                : new String(Base64.getDecoder().decode(encoded.asText()), ISO_8859_1);
    }

    /** Errors are compared by whether a template was refused before or during the execution; their texts may differ. */
    private static String error(String stage) {
        return stage + " error";
    }

    /** What came of one template. */
    private sealed interface Outcome {
        record Output(String bytes) implements Outcome {}

        record Refused(String stage, String text) implements Outcome {}
    }

    private static String said(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Output(String bytes) -> bytes;
            case Outcome.Refused(String stage, String text) -> error(stage);
        };
    }

    private Outcome outcome(JsonNode test) {
        GoTemplate template;
        try {
            template =
                    GoTemplate.parse("t", GoString.bytes(test.path("template").asText()), functions);
        } catch (TemplateException failure) {
            return new Outcome.Refused("parse", String.valueOf(failure.getMessage()));
        }
        try {
            return new Outcome.Output(template.execute(values.decode(test.path("data")), environment()));
        } catch (TemplateException failure) {
            return new Outcome.Refused("exec", String.valueOf(failure.getMessage()));
        }
    }

    private static ExecutionEnvironment environment() {
        return new Sandbox.Factory(LIMITS, System::nanoTime).open();
    }
}

package io.osmhub.core.template.corpus;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Templates with what Go gave for them: the output, byte for byte, or the error. */
public final class GoTemplateCorpus {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern GO_SYNTAX = Pattern.compile("\\{\\{ ?printf \"%#v\" ([^}|]*)\\}\\}");
    private static final String UNKNOWN = "\ue000";
    private static final List<String> RESULTS = List.of("want", "want_b64", "error", "refused");

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
            String id = test.path("id").asText();
            String template = test.path("template").toString();
            switch (outcome(test)) {
                case Outcome.Output(String bytes) -> report.compare(id, template, want(test), bytes);
                case Outcome.Failed failed -> report.compare(id, template, want(test), error(failed.stage()));
                case Outcome.Refused(String name) -> report.refuse(id, name);
            }
        }
        return report.build();
    }

    /**
     * Runs the cases that show results with {@code %#v}, which templates may not use, and compares the rest of their output. Cases
     * without any other output are omitted.
     */
    public CorpusReport runWithoutGoSyntax(List<String> lines) {
        CorpusReport.Builder report = new CorpusReport.Builder();
        for (String line : lines) {
            JsonNode test = parse(line);
            Matcher matcher = GO_SYNTAX.matcher(test.path("template").asText());
            String template = matcher.replaceAll(UNKNOWN + "{{ \\$_ := $1 }}");
            boolean uses = matcher.reset().find();
            ((ObjectNode) test).put("template", template);
            String unknown = GoString.bytes(UNKNOWN);
            if (uses && outcome(test) instanceof Outcome.Output(String bytes) && !bytes.equals(unknown)) {
                String want = want(test);
                boolean matches = matches(want, bytes.split(unknown, -1));
                report.compare(test.path("id").asText(), template, want, matches ? want : bytes);
            }
        }
        return report.build();
    }

    /** Whether the text has these parts in this order, with anything between them. */
    private static boolean matches(String text, String... parts) {
        int at = 0;
        for (int i = 0; i < parts.length - 1; i++) {
            int found = text.indexOf(parts[i], at);
            if (found < 0 || i == 0 && found > 0) {
                return false;
            }
            at = found + parts[i].length();
        }
        return text.substring(at).endsWith(parts[parts.length - 1]);
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
            case Outcome.Failed(String stage, String text) ->
                result.put("error", "{\"class\":" + JsonLine.quote(stage) + ",\"text\":" + JsonLine.quote(text) + "}");
            case Outcome.Refused(String name) -> result.put("refused", JsonLine.quote(name));
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

    private String want(JsonNode test) {
        JsonNode error = test.path("error");
        if (error.isObject()) {
            return error(error.path("class").asText());
        }
        JsonNode encoded = test.path("want_b64");
        return encoded.isMissingNode()
                ? GoString.bytes(test.path("want").asText())
                : new String(Base64.getDecoder().decode(encoded.asText()), ISO_8859_1);
    }

    /** Errors are compared by when they happen, because their texts are ours. */
    private static String error(String stage) {
        return stage + " error";
    }

    /** The result of one template. */
    private sealed interface Outcome {
        record Output(String bytes) implements Outcome {}

        record Failed(String stage, String text) implements Outcome {}

        /** The template or its data uses something that is refused by this name. */
        record Refused(String name) implements Outcome {}

        static Outcome of(String stage, TemplateException failure) {
            String refused = failure.refused();
            return refused == null ? new Failed(stage, String.valueOf(failure.getMessage())) : new Refused(refused);
        }
    }

    private Outcome outcome(JsonNode test) {
        GoTemplate template;
        try {
            template =
                    GoTemplate.parse("t", GoString.bytes(test.path("template").asText()), functions);
        } catch (TemplateException failure) {
            return Outcome.of("parse", failure);
        }
        try {
            return new Outcome.Output(template.execute(values.decode(test.path("data")), environment()));
        } catch (CorpusValues.UnsupportedValueException unsupported) {
            return new Outcome.Refused(unsupported.type());
        } catch (TemplateException failure) {
            return Outcome.of("exec", failure);
        }
    }

    private static ExecutionEnvironment environment() {
        return new Sandbox.Factory(LIMITS, System::nanoTime).open();
    }
}

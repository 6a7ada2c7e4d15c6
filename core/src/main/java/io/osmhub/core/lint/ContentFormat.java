package io.osmhub.core.lint;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.emit.toml.TomlDecoder;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The formats that a rendered file's path or first line implies, and their validation. */
enum ContentFormat {
    YAML {
        @Override
        List<FormatError> check(String text) {
            return checkYaml(text);
        }
    },
    JSON {
        @Override
        List<FormatError> check(String text) {
            return checkJson(text);
        }
    },
    TOML {
        @Override
        List<FormatError> check(String text) {
            return checkToml(text);
        }
    };

    /** Where the text violates its format; line and column count from 1, column 0 is unknown. */
    record FormatError(LintSeverity severity, int line, int column, String message, String cure) {
        FormatError(int line, int column, String message) {
            this(LintSeverity.ERROR, line, column, message, "");
        }
    }

    private static final ObjectMapper JSON_READER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Bounds the steps of reading hostile TOML; time and randomness are unused. */
    private static final Sandbox.Factory TOML_LIMITS = new Sandbox.Factory(
            RenderLimits.DEFAULT, () -> Instant.EPOCH, ZoneOffset.UTC, new SplittableRandom(0), () -> 0);

    private static final Pattern TOML_ERROR =
            Pattern.compile("toml: line (\\d+)(?: \\(last key .*?\\))?: (.*)", Pattern.DOTALL);

    abstract List<FormatError> check(String text);

    /** The format that a file's path or text implies; null if unknown. */
    static @Nullable ContentFormat of(String path, String text) {
        String name = path.toLowerCase(Locale.ROOT);
        if (name.endsWith(".yaml")
                || name.endsWith(".yml")
                || text.startsWith("apiVersion: ")
                || CloudConfigValidator.isCloudConfig(text)) {
            return YAML;
        }
        if (name.endsWith(".json") || IgnitionConfigValidator.isIgnitionConfig(name, text)) {
            return JSON;
        }
        return name.endsWith(".toml") ? TOML : null;
    }

    private static List<FormatError> checkYaml(String text) {
        try {
            YamlDocumentReader.read("", text, "");
            return List.of();
        } catch (TenantMistake e) {
            ProblemFinding finding = e.findings().getFirst();
            SourcePosition place = YamlErrorLocator.locate(text, finding);
            return List.of(new FormatError(
                    LintSeverity.ERROR,
                    place.line(),
                    place.column(),
                    YamlErrorLocator.what(finding),
                    YamlErrorLocator.cure(text, place)));
        }
    }

    private static List<FormatError> checkJson(String text) {
        try (MappingIterator<JsonNode> values =
                JSON_READER.readerFor(JsonNode.class).readValues(text)) {
            int count = 0;
            while (values.hasNextValue()) {
                values.nextValue();
                if (++count == 2) {
                    JsonLocation place = values.getCurrentLocation();
                    return List.of(new FormatError(
                            LintSeverity.INFO,
                            place.getLineNr(),
                            0,
                            "another JSON value follows the first one",
                            "keep a single value unless the reader of the file accepts several"));
                }
            }
            return count > 0 ? List.of() : List.of(new FormatError(1, 0, "holds no JSON value"));
        } catch (JsonProcessingException e) {
            JsonLocation place = e.getLocation();
            return List.of(
                    place == null
                            ? new FormatError(1, 0, e.getOriginalMessage())
                            : new FormatError(place.getLineNr(), place.getColumnNr(), e.getOriginalMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException("the text is in memory", e);
        }
    }

    private static List<FormatError> checkToml(String text) {
        try {
            TomlDecoder.decode(GoString.bytes(text), TOML_LIMITS.open());
            return List.of();
        } catch (GoCallException e) {
            String message = GoString.text(e.text());
            Matcher matcher = TOML_ERROR.matcher(message);
            return List.of(
                    matcher.matches()
                            ? new FormatError(Integer.parseInt(matcher.group(1)), 0, matcher.group(2))
                            : new FormatError(1, 0, message));
        } catch (LimitExceededException e) {
            return List.of(new FormatError(1, 0, "too complex to check"));
        }
    }
}

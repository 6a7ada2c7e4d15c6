package io.osmhub.core.lint;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.osmhub.core.document.Position;
import io.osmhub.core.document.YamlText;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;

/** The formats that a rendered file may promise by its path or its first line, and whether it keeps the promise. */
enum ContentFormat {
    YAML {
        @Override
        List<Fault> check(String text) {
            return checkYaml(text);
        }
    },
    JSON {
        @Override
        List<Fault> check(String text) {
            return checkJson(text);
        }
    },
    TOML {
        @Override
        List<Fault> check(String text) {
            return checkToml(text);
        }
    };

    /** Where the text breaks its format; line and column count from 1, column 0 is unknown. */
    record Fault(Severity severity, int line, int column, String message, String cure) {
        Fault(int line, int column, String message) {
            this(Severity.ERROR, line, column, message, "");
        }
    }

    private static final ObjectMapper JSON_READER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    abstract List<Fault> check(String text);

    /** The format that a file promises; null when it promises none that is known here. */
    static @Nullable ContentFormat of(String path, String text) {
        String name = path.toLowerCase(Locale.ROOT);
        if (name.endsWith(".yaml")
                || name.endsWith(".yml")
                || text.startsWith("apiVersion: ")
                || CloudConfig.is(text)) {
            return YAML;
        }
        if (name.endsWith(".json") || IgnitionConfig.is(name, text)) {
            return JSON;
        }
        return name.endsWith(".toml") ? TOML : null;
    }

    private static List<Fault> checkYaml(String text) {
        try {
            YamlText.read("", text, "");
            return List.of();
        } catch (TenantMistake e) {
            Finding finding = e.findings().getFirst();
            Position place = YamlPlace.of(text, finding);
            return List.of(new Fault(
                    Severity.ERROR,
                    place.line(),
                    place.column(),
                    YamlPlace.what(finding),
                    YamlPlace.cure(text, place)));
        }
    }

    private static List<Fault> checkJson(String text) {
        try (MappingIterator<JsonNode> values =
                JSON_READER.readerFor(JsonNode.class).readValues(text)) {
            int count = 0;
            while (values.hasNextValue()) {
                values.nextValue();
                if (++count == 2) {
                    JsonLocation place = values.getCurrentLocation();
                    return List.of(new Fault(
                            Severity.INFO,
                            place.getLineNr(),
                            0,
                            "another JSON value follows the first one",
                            "whoever reads the file must expect several"));
                }
            }
            return count > 0 ? List.of() : List.of(new Fault(1, 0, "holds no JSON value"));
        } catch (JsonProcessingException e) {
            JsonLocation place = e.getLocation();
            return List.of(
                    place == null
                            ? new Fault(1, 0, e.getOriginalMessage())
                            : new Fault(place.getLineNr(), place.getColumnNr(), e.getOriginalMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException("the text is in memory", e);
        }
    }

    private static List<Fault> checkToml(String text) {
        return Toml.parse(text).errors().stream()
                .limit(1)
                .map(ContentFormat::fault)
                .toList();
    }

    private static Fault fault(TomlParseError error) {
        return new Fault(error.position().line(), error.position().column(), String.valueOf(error.getMessage()));
    }
}

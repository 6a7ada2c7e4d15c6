package io.osmhub.core.lint;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
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
    record Fault(int line, int column, String message) {}

    private static final ObjectMapper JSON_READER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    abstract List<Fault> check(String text);

    /** The format that a file promises; null when it promises none that is known here. */
    static @Nullable ContentFormat of(String path, String text) {
        String name = path.toLowerCase(Locale.ROOT);
        if (name.endsWith(".yaml") || name.endsWith(".yml") || text.startsWith("apiVersion: ")) {
            return YAML;
        }
        if (name.endsWith(".json")) {
            return JSON;
        }
        return name.endsWith(".toml") ? TOML : null;
    }

    private static List<Fault> checkYaml(String text) {
        LoadSettings settings =
                LoadSettings.builder().setMaxAliasesForCollections(50).build();
        try {
            for (Node document : new Compose(settings).composeAllFromString(text)) {
                Fault twice = duplicateKey(document);
                if (twice != null) {
                    return List.of(twice);
                }
            }
            return List.of();
        } catch (MarkedYamlEngineException e) {
            Mark mark = e.getProblemMark().orElse(null);
            String problem = e.getProblem();
            return List.of(
                    mark == null
                            ? new Fault(1, 0, problem)
                            : new Fault(mark.getLine() + 1, mark.getColumn() + 1, problem));
        }
    }

    private static @Nullable Fault duplicateKey(Node node) {
        return switch (node) {
            case MappingNode mapping -> {
                var seen = new HashSet<String>();
                for (NodeTuple entry : mapping.getValue()) {
                    if (entry.getKeyNode() instanceof ScalarNode key && !seen.add(key.getValue())) {
                        Mark mark = key.getStartMark().orElseThrow();
                        yield new Fault(
                                mark.getLine() + 1,
                                mark.getColumn() + 1,
                                "the key \"" + key.getValue() + "\" is there twice");
                    }
                    Fault below = duplicateKey(entry.getValueNode());
                    if (below != null) {
                        yield below;
                    }
                }
                yield null;
            }
            case SequenceNode sequence -> {
                for (Node item : sequence.getValue()) {
                    Fault below = duplicateKey(item);
                    if (below != null) {
                        yield below;
                    }
                }
                yield null;
            }
            default -> null;
        };
    }

    private static List<Fault> checkJson(String text) {
        try {
            JSON_READER.readTree(text);
            return List.of();
        } catch (JsonProcessingException e) {
            JsonLocation place = e.getLocation();
            return List.of(
                    place == null
                            ? new Fault(1, 0, e.getOriginalMessage())
                            : new Fault(place.getLineNr(), place.getColumnNr(), e.getOriginalMessage()));
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

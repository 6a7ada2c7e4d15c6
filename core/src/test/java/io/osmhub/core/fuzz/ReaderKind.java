package io.osmhub.core.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.toml.TomlDecoder;
import io.osmhub.core.emit.toml.TomlEncoder;
import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Mutated YAML, JSON and TOML: what can be read is written again in every format. */
final class ReaderKind implements FuzzKind {
    private static final String TEXT = "text";

    /** One format. */
    enum Format {
        YAML,
        JSON,
        TOML
    }

    private final Format format;
    private final List<String> seeds;
    private final TextMutator mutator;

    ReaderKind(Format format) {
        this.format = format;
        this.seeds = seeds(format);
        this.mutator = new TextMutator(words(format));
    }

    private static List<String> seeds(Format format) {
        List<JsonNode> yaml = Seeds.corpus("goyaml");
        return switch (format) {
            case YAML -> {
                List<String> texts = new ArrayList<>(Seeds.texts(yaml, "yaml_v3"));
                texts.addAll(Seeds.texts(yaml, "sigs_yaml"));
                yield texts;
            }
            case JSON ->
                yaml.stream().map(line -> line.path("value").toString()).toList();
            case TOML -> Seeds.texts(Seeds.corpus("gotoml"), "toml");
        };
    }

    private static List<String> words(Format format) {
        return switch (format) {
            case YAML ->
                List.of(
                        "- ",
                        ": ",
                        "? ",
                        "[",
                        "]",
                        "{",
                        "}",
                        ", ",
                        "&a ",
                        "*a",
                        "<<: *a\n",
                        "!!int ",
                        "!!binary ",
                        "!x ",
                        "|\n",
                        ">-\n",
                        "|2+\n",
                        "---\n",
                        "...\n",
                        "%YAML 1.1\n",
                        "# c\n",
                        "\n ",
                        "\n  ",
                        "'",
                        "\"",
                        "\\x41",
                        "2001-01-01",
                        "0o7",
                        "0x1F",
                        ".inf",
                        "1e400",
                        "1_000",
                        "12:30:45",
                        "yes");
            case JSON ->
                List.of(
                        "{",
                        "}",
                        "[",
                        "]",
                        ",",
                        ":",
                        "\"",
                        "\\u0000",
                        "\\ud800",
                        "\\",
                        "null",
                        "true",
                        "1e400",
                        "-0",
                        "01",
                        "{\"a\":",
                        "[[",
                        "\"a\":1,");
            case TOML ->
                List.of(
                        "[a]\n",
                        "[[a]]\n",
                        "a.b = ",
                        "a = ",
                        "{",
                        "}",
                        "[",
                        "]",
                        ",",
                        "=",
                        "\n",
                        "\"\"\"",
                        "'''",
                        "\"",
                        "'",
                        "1979-05-27T07:32:00Z",
                        "07:32:00",
                        "1979-05-27",
                        "inf",
                        "-nan",
                        "0xDEAD",
                        "1_000",
                        "\\u0000",
                        "# c\n");
        };
    }

    @Override
    public String name() {
        return switch (format) {
            case YAML -> "yaml";
            case JSON -> "json";
            case TOML -> "toml";
        };
    }

    @Override
    public int weight() {
        return 5;
    }

    @Override
    public FuzzInput make(Chance chance) {
        return new FuzzInput(name(), Map.of(TEXT, mutator.mutate(chance.of(seeds), chance.of(seeds), chance)));
    }

    @Override
    public Verdict run(FuzzInput input) {
        String bytes = GoString.bytes(input.part(TEXT));
        try {
            GoValue value =
                    switch (format) {
                        case YAML -> YamlDecoder.decode(bytes, null);
                        case JSON -> GoJson.decode(bytes);
                        case TOML -> TomlDecoder.decode(bytes, null);
                    };
            YamlEncoder.marshal(value);
            SigsYamlEncoder.fromJson(GoJson.encode(value));
            TomlEncoder.encode(value, 2);
            return Verdict.ACCEPTED;
        } catch (GoCallException refused) {
            return Verdict.REFUSED;
        } catch (LimitExceededException limit) {
            return Verdict.LIMITED;
        }
    }
}

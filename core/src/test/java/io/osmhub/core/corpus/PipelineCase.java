package io.osmhub.core.corpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.JsonText;
import io.osmhub.core.document.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One pipeline case: a MachineDeployment, a profile, the configuration and the objects that exist; and, if it has them, the
 * results that are wanted. The form is that of the pipeline fixtures' README.
 *
 * @param profile null when none is stored
 */
public record PipelineCase(
        String name,
        Path directory,
        JsonNode config,
        Document machineDeployment,
        @Nullable Document profile) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Reads a case; profiles that several cases use lie in {@code osps} beside it. */
    public static PipelineCase read(Path directory) {
        String name = String.valueOf(directory.getFileName());
        JsonNode config = json(document(directory.resolve("case.yaml")));
        Path own = directory.resolve("osp.yaml");
        Document profile = null;
        if (config.has("osp")) {
            Path shared =
                    directory.resolveSibling("osps").resolve(config.get("osp").asText() + ".yaml");
            profile = document(shared);
        } else if (Files.exists(own)) {
            profile = document(own);
        }
        return new PipelineCase(
                name, directory, config, document(directory.resolve("machinedeployment.yaml")), profile);
    }

    /** A case that lies in no directory and wants nothing; each text is YAML. */
    public static PipelineCase of(String config, String machineDeployment, String profile) {
        return new PipelineCase(
                "case",
                Path.of("no-such-directory"),
                json(YamlText.read("case.yaml", config, "CaseInvalid").getFirst()),
                YamlText.read("machinedeployment.yaml", machineDeployment, "CaseInvalid")
                        .getFirst(),
                YamlText.read("osp.yaml", profile, "CaseInvalid").getFirst());
    }

    static Document document(Path file) {
        return YamlText.read(String.valueOf(file.getFileName()), text(file), "CaseInvalid")
                .getFirst();
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(Document document) {
        try {
            return JSON.readTree(JsonText.of(document.root()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    String namespace() {
        return config.path("namespace").asText("kube-system");
    }

    String profileNamespace() {
        return config.path("ospNamespace").asText(namespace());
    }

    @Nullable String text(String field) {
        JsonNode value = config.get(field);
        return value == null || value.isNull() ? null : value.asText();
    }

    /** Flags by name; one that may be repeated is a list. */
    Map<String, List<String>> flags() {
        Map<String, List<String>> flags = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> flag : config.path("flags").properties()) {
            List<String> values = new ArrayList<>();
            if (flag.getValue().isArray()) {
                flag.getValue().forEach(value -> values.add(value.asText()));
            } else {
                values.add(flag.getValue().asText());
            }
            flags.put(flag.getKey(), values);
        }
        return flags;
    }

    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        config.path("env")
                .properties()
                .forEach(variable ->
                        environment.put(variable.getKey(), variable.getValue().asText()));
        return environment;
    }

    /** The wanted results by file name; empty for a case that only says what goes in. */
    public Map<String, String> wanted() {
        Map<String, String> wanted = new LinkedHashMap<>();
        for (String file : PipelineResult.FILES) {
            Path path = directory.resolve(file);
            if (Files.exists(path)) {
                wanted.put(file, text(path));
            }
        }
        return wanted;
    }
}

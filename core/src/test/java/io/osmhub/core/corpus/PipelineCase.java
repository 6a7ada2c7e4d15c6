package io.osmhub.core.corpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        SourceDocument machineDeployment,
        @Nullable SourceDocument profile) {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Set<String> FIELDS = Set.of(
            "description",
            "osp",
            "namespace",
            "ospNamespace",
            "flags",
            "kubernetesCACert",
            "kubernetesCABundle",
            "hostCABundle",
            "clusterInfoKubeconfig",
            "apiServerToken",
            "bootstrapToken",
            "objects",
            "env");

    /**
     * Reads a case; profiles that several cases use lie in {@code osps} beside it.
     *
     * @throws IllegalArgumentException when it is not of the schema, with the file and what is wrong there
     */
    public static PipelineCase read(Path directory) {
        return read(directory, directory.resolveSibling("osps"));
    }

    /**
     * Reads a case.
     *
     * @param profiles folder of the profiles that cases name
     * @throws IllegalArgumentException like {@link #read(Path)}
     */
    public static PipelineCase read(Path directory, Path profiles) {
        String name = String.valueOf(directory.getFileName());
        JsonNode config = json(document(directory.resolve("case.yaml")));
        if (!config.isObject()) {
            throw new IllegalArgumentException("case.yaml: must be an object");
        }
        for (Map.Entry<String, JsonNode> field : config.properties()) {
            if (!FIELDS.contains(field.getKey())) {
                throw new IllegalArgumentException("case.yaml: unknown field " + field.getKey());
            }
        }
        Path own = directory.resolve("osp.yaml");
        SourceDocument profile = null;
        if (config.has("osp")) {
            profile = document(profiles.resolve(config.get("osp").asText() + ".yaml"));
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
                json(YamlDocumentReader.read("case.yaml", config, Reason.SettingsInvalid)
                        .getFirst()),
                YamlDocumentReader.read("machinedeployment.yaml", machineDeployment, Reason.SettingsInvalid)
                        .getFirst(),
                YamlDocumentReader.read("osp.yaml", profile, Reason.SettingsInvalid)
                        .getFirst());
    }

    static SourceDocument document(Path file) {
        String name = String.valueOf(file.getFileName());
        try {
            List<SourceDocument> documents = YamlDocumentReader.read(name, text(file), Reason.SettingsInvalid);
            if (documents.size() != 1) {
                throw new IllegalArgumentException(name + ": has " + documents.size() + " documents, must have one");
            }
            return documents.getFirst();
        } catch (TenantMistake e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    static String text(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(file + ": no such file");
        }
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": is not UTF-8", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode json(SourceDocument document) {
        try {
            return JSON.readTree(SourceDocument.jsonText(document.root()));
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

package io.osmhub.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every profile and configuration of OSM's fixtures fits our schema and survives the way through the domain. */
class PeerObjectsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void profilesAreValidAndLoseNothing() throws JsonProcessingException {
        List<JsonNode> profiles = objects("OperatingSystemProfile");

        for (JsonNode stored : profiles) {
            assertThat(ProfileReader.check(stored)).isEmpty();
            OperatingSystemProfile profile =
                    ProfileReader.strict().read(SourceDocument.of(ProblemObject.input("profile"), stored));
            // The domain reads only the name of a provider; values of the hub's own fields are its defaults.
            JsonNode spec = stored.get("spec").deepCopy();
            spec.get("supportedCloudProviders").forEach(provider -> ((ObjectNode) provider).remove("spec"));
            List<String> read = texts(JSON.valueToTree(profile.spec()));
            assertThat(texts(spec)).as(profile.name()).allSatisfy(text -> assertThat(read.remove(text))
                    .isTrue());
        }
        assertThat(profiles).hasSizeGreaterThanOrEqualTo(44);
    }

    @Test
    void configurationsAreValidAndLoseNothing() throws JsonProcessingException {
        List<JsonNode> configs = objects("OperatingSystemConfig");

        for (JsonNode stored : configs) {
            assertThat(ShippedDefinition.OPERATING_SYSTEM_CONFIGS.check(stored, null, Reason.SettingsInvalid))
                    .isEmpty();
            OperatingSystemConfig config =
                    OperatingSystemConfig.read(SourceDocument.of(ProblemObject.input("config"), stored));
            JsonNode written = JSON.readTree(OperatingSystemConfigWriter.object(config));
            // An empty provider spec is stored as null or left out; both mean the same to the API server.
            assertThat(Trees.differences(stored, written))
                    .as(config.name())
                    .allMatch(line -> line.equals(".spec.cloudProvider.spec: expected null, found "));
        }
        assertThat(configs).hasSizeGreaterThanOrEqualTo(115);
    }

    /** All scalars of a tree, as often as they occur. */
    private static List<String> texts(JsonNode tree) {
        List<String> texts = new ArrayList<>();
        if (tree.isValueNode()) {
            texts.add(tree.asText());
        }
        tree.forEach(part -> texts.addAll(texts(part)));
        return texts;
    }

    /** Read as OSM's tools read YAML: their encoder uses forms that stricter readers refuse. */
    private static JsonNode read(String yaml) throws JsonProcessingException {
        try {
            return JSON.readTree(GoString.text(GoJson.encode(YamlDecoder.decode(GoString.bytes(yaml), null))));
        } catch (GoCallException e) {
            throw new IllegalArgumentException("not YAML", e);
        }
    }

    private static List<JsonNode> objects(String kind) {
        List<JsonNode> objects = new ArrayList<>();
        try (Stream<Path> files = Files.walk(OsmFixtures.shared())) {
            for (Path file : files.filter(path -> path.toString().endsWith(".yaml"))
                    .sorted()
                    .toList()) {
                String text = Files.readString(file);
                if (text.contains("\nkind: " + kind + "\n")) {
                    objects.add(read(text));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return objects;
    }
}

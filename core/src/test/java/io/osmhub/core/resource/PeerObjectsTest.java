package io.osmhub.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigResource;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileResource;
import io.osmhub.core.schema.ObjectValidator;
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
            assertThat(OperatingSystemProfileResource.check(stored)).isEmpty();
            OperatingSystemProfile profile = JSON.treeToValue(stored, OperatingSystemProfileResource.class)
                    .toProfile();
            JsonNode written = JSON.valueToTree(OperatingSystemProfileResource.of(profile));
            // OSM takes 0 for left out and reads only the name of a provider, and so does the domain.
            assertThat(Trees.differences(stored.get("spec"), written.get("spec")))
                    .as(profile.name())
                    .allMatch(line -> line.endsWith(".permissions: expected 0, found ")
                            || line.matches("\\.supportedCloudProviders\\[\\d+]\\.spec: .*"));
        }
        assertThat(profiles).hasSizeGreaterThanOrEqualTo(44);
    }

    @Test
    void configurationsAreValidAndLoseNothing() throws JsonProcessingException {
        List<JsonNode> configs = objects("OperatingSystemConfig");

        for (JsonNode stored : configs) {
            assertThat(ObjectValidator.check(
                            OperatingSystemConfigResource.definition().schema(), stored, null, "Any", "object"))
                    .isEmpty();
            OperatingSystemConfig config = JSON.treeToValue(stored, OperatingSystemConfigResource.class)
                    .toConfig();
            JsonNode written = JSON.valueToTree(OperatingSystemConfigResource.of(config));
            assertThat(Trees.differences(stored, written)).as(config.name()).isEmpty();
        }
        assertThat(configs).hasSizeGreaterThanOrEqualTo(115);
    }

    /** Read as OSM's tools read YAML: their encoder uses forms that stricter readers refuse. */
    private static JsonNode read(String yaml) throws JsonProcessingException {
        try {
            return JSON.readTree(GoString.text(GoJson.encode(YamlDecoder.decode(GoString.bytes(yaml)))));
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

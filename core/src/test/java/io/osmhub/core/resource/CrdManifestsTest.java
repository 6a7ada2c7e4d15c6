package io.osmhub.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CrdManifestsTest {
    /** With UPDATE=true the files are rewritten first; the diff is the review. */
    private static final boolean UPDATE = Boolean.getBoolean("osmhub.update");

    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", ".."));

    @SuppressWarnings("unused") // named by the parameterized tests
    private static final Iterable<CustomResourceDefinition> DEFINITIONS = CrdManifests.ALL;

    @ParameterizedTest
    @FieldSource("DEFINITIONS")
    void checkedInManifestIsWhatTheCodeSays(CustomResourceDefinition definition) throws IOException {
        if (UPDATE) {
            CrdManifests.writeBelow(ROOT);
        }

        String checkedIn = Files.readString(CrdManifests.file(ROOT, definition));

        assertThat(checkedIn)
                .as("run: UPDATE=true ./hub test core CrdManifestsTest")
                .isEqualTo(CrdManifests.yaml(definition));
    }

    @Test
    void theReferenceListsEveryField() throws IOException {
        Path page = ROOT.resolve("docs/reference/crds.md");
        StringBuilder tables = new StringBuilder();
        for (CustomResourceDefinition definition : DEFINITIONS) {
            JsonNode spec = definition.manifest().path("spec");
            tables.append("\n## ")
                    .append(spec.path("names").path("kind").asText())
                    .append("\n\n`")
                    .append(spec.path("group").asText())
                    .append("/v1alpha1`, `kubectl get ")
                    .append(spec.path("names").path("plural").asText())
                    .append("`\n\n| field | type | meaning |\n|---|---|---|\n");
            appendFields(tables, "", spec.at("/versions/0/schema/openAPIV3Schema"));
        }
        String text = Files.readString(page);
        String expected = text.substring(0, text.indexOf("\n## ")) + tables;
        if (UPDATE) {
            Files.writeString(page, expected);
        }

        assertThat(Files.readString(page))
                .as("run: UPDATE=true ./hub test core CrdManifestsTest")
                .isEqualTo(expected);
    }

    private static void appendFields(StringBuilder table, String prefix, JsonNode schema) {
        schema.path("properties").properties().forEach(field -> {
            JsonNode value = field.getValue();
            String path = prefix + field.getKey();
            if (prefix.isEmpty() && !path.equals("spec") && !path.equals("status")) {
                return; // apiVersion, kind and metadata are those of every object
            }
            boolean list = value.has("items");
            JsonNode element = list ? value.get("items") : value;
            String type =
                    element.path("type").asText(element.has("x-kubernetes-int-or-string") ? "int or string" : "any");
            table.append("| `%s` | %s | %s |\n"
                    .formatted(
                            path,
                            (list ? "list of " : "") + type,
                            value.path("description")
                                    .asText()
                                    .strip()
                                    .replaceAll("\\s+", " ")
                                    .replace("|", "\\|")));
            appendFields(table, path + (list ? "[]." : "."), element);
            if (element.path("additionalProperties").isObject()) {
                appendFields(table, path + ".*.", element.get("additionalProperties"));
            }
        });
    }

    @ParameterizedTest
    @FieldSource("DEFINITIONS")
    void manifestReadsBackAsItWasWritten(CustomResourceDefinition definition) {
        JsonNode read = YamlText.parse(CrdManifests.yaml(definition)).getFirst();

        assertThat(YamlText.write(read)).isEqualTo(YamlText.write(definition.manifest()));
    }

    @Test
    void workerClusterIsTheContract() {
        JsonNode contract =
                YamlText.documents("/contracts/workercluster-crd.yaml").getFirst();

        ObjectNode ours = CrdManifests.WORKER_CLUSTER.manifest();
        // Beside the contract: the stamp by which the hub knows its own definitions.
        ((ObjectNode) ours.get("metadata")).remove("annotations");

        assertThat(Trees.differences(contract, ours)).isEmpty();
    }

    @Test
    void comparisonSeesAnyDifference() {
        JsonNode contract =
                YamlText.documents("/contracts/workercluster-crd.yaml").getFirst();
        ObjectNode changed = contract.deepCopy();
        JsonNode version = changed.at("/spec/versions/0");
        ((ObjectNode) version.at("/schema/openAPIV3Schema/properties/spec/properties/cleanupTimeout"))
                .put("default", "3m");
        ((ObjectNode) version.at("/additionalPrinterColumns/3")).remove("description");

        assertThat(Trees.differences(contract, changed)).hasSize(2);
        assertThat(Trees.differences(changed, contract)).hasSize(2);
    }
}

package io.osmhub.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.workercluster.WorkerCluster;
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
                .isEqualTo(CrdManifests.text(definition));
    }

    @ParameterizedTest
    @FieldSource("DEFINITIONS")
    void manifestReadsBackAsItWasWritten(CustomResourceDefinition definition) {
        JsonNode read = YamlText.parse(CrdManifests.text(definition)).getFirst();

        assertThat(YamlText.write(read)).isEqualTo(YamlText.write(definition.manifest()));
    }

    @Test
    void workerClusterIsTheContract() {
        JsonNode contract =
                YamlText.documents("/contracts/workercluster-crd.yaml").getFirst();

        ObjectNode ours = WorkerCluster.definition().manifest();
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

package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineCorpus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** OSM's results for every pipeline case that is not about a fault of OSM. */
class PipelineCorpusTest {
    @Test
    void givesThePeersResults(TestReporter reporter) {
        PipelineCorpus corpus = corpus();
        List<String> differences = new ArrayList<>();
        int ran = 0;

        for (String name : corpus.names()) {
            if (name.startsWith("defect-")) {
                continue;
            }
            PipelineCase test = corpus.read(name);
            corpus.differences(test, corpus.run(test)).forEach(difference -> differences.add(name + ": " + difference));
            ran++;
        }

        reporter.publishEntry("pipeline cases", String.valueOf(ran));
        assertThat(differences).as("of %d cases", ran).isEmpty();
    }

    static PipelineCorpus corpus() {
        return new PipelineCorpus(fixtures());
    }

    static Path fixtures() {
        Path fixtures =
                Path.of(System.getProperty("osmhub.shared", "../../shared")).resolve("fixtures/osm");
        assumeTrue(
                Files.isDirectory(fixtures), "skipped: no pipeline fixtures at " + fixtures + " (set -Dosmhub.shared)");
        return fixtures;
    }
}

package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineCorpus;
import io.osmhub.core.corpus.PipelineResult;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.template.corpus.UnsupportedCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** OSM's results for every pipeline case that is not about a fault of OSM; those with refused functions or kubelets are refused, and a few that OSM refuses are published. */
class PipelineCorpusTest {
    private static final Set<Reason> REFUSALS = Set.of(Reason.TemplateFunctionRefused, Reason.KubeletVersionInvalid);

    @Test
    void rendersOurProfilesLikeOsm(TestReporter reporter) {
        PipelineCorpus corpus = OsmFixtures.own();

        compare(corpus, corpus.names(), reporter);
    }

    @Test
    void rendersThirdPartyProfilesLikeOsm(TestReporter reporter) {
        PipelineCorpus corpus = OsmFixtures.all();
        List<String> names = new ArrayList<>(corpus.names());
        names.removeAll(OsmFixtures.own().names());

        compare(corpus, names, reporter);
    }

    private static void compare(PipelineCorpus corpus, List<String> names, TestReporter reporter) {
        List<String> differences = new ArrayList<>();
        int ran = 0;
        for (String name : names) {
            if (name.startsWith("defect-")) {
                continue;
            }
            PipelineCase test = corpus.read(name);
            PipelineResult result = corpus.run(test);
            String refused = UnsupportedCases.refusedName(name);
            if (UnsupportedCases.difference(name) != null) {
                result.findings().forEach(finding -> differences.add(name + ": not published, " + finding));
            } else if (refused == null) {
                corpus.differences(test, result).forEach(difference -> differences.add(name + ": " + difference));
            } else if (!isRefused(result, refused)) {
                differences.add(name + ": wanted " + refused + " refused, but " + result.findings());
            }
            ran++;
        }
        reporter.publishEntry("pipeline cases", String.valueOf(ran));
        assertThat(ran).isPositive();
        assertThat(differences).as("of %d cases", ran).isEmpty();
    }

    private static boolean isRefused(PipelineResult result, String name) {
        return !result.files().containsKey("osc.yaml")
                && result.findings().stream()
                        .anyMatch(finding -> REFUSALS.contains(finding.reason())
                                && finding.cause().contains(name)
                                && finding.cause().contains(" is not supported"));
    }

    /** The kubelet's bootstrap kubeconfig is independent of the profile, so a default profile of this project stands in. */
    @Test
    void writesTheKubeconfigOfThirdPartyCasesLikeOsm(TestReporter reporter) {
        PipelineCorpus corpus = new PipelineCorpus(OsmFixtures.THIRD_PARTY_PARTS);
        Path profiles = Path.of(System.getProperty("osmhub.root", "..")).resolve("deploy/packaging/manifests/profiles");
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (String name : corpus.names()) {
            PipelineCase test = PipelineCase.read(OsmFixtures.THIRD_PARTY_PARTS.resolve(name), profiles);
            String wanted = test.wanted().get("kubelet-bootstrap.txt");
            if (wanted != null && !name.startsWith("defect-")) {
                compared++;
                if (!wanted.equals(corpus.run(test).files().get("kubelet-bootstrap.txt"))) {
                    differences.add(name);
                }
            }
        }

        reporter.publishEntry("kubeconfigs", String.valueOf(compared));
        assertThat(compared).isPositive();
        assertThat(differences).isEmpty();
    }

    /** What the clone contains of OSM's cases is what OSM computed. */
    @Test
    void theCopiesInTheCloneAreCurrent() throws IOException {
        Path shared = OsmFixtures.shared();
        List<Path> different = new ArrayList<>();
        for (Path copies : List.of(OsmFixtures.OWN, OsmFixtures.THIRD_PARTY_PARTS)) {
            try (Stream<Path> files = Files.walk(copies).filter(Files::isRegularFile)) {
                for (Path file : files.toList()) {
                    if (Files.mismatch(file, shared.resolve(copies.relativize(file))) != -1) {
                        different.add(file);
                    }
                }
            }
        }

        assertThat(different).isEmpty();
    }
}

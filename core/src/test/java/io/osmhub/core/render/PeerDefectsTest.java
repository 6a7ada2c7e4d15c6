package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.corpus.MendedResults;
import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineCorpus;
import io.osmhub.core.corpus.PipelineResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pipeline cases that show a defect of OSM: all of OSM's result but the defect, and what is right in its place. Each
 * is an entry of docs/compatibility.md.
 */
class PeerDefectsTest {
    /**
     * A text of OSM's result and what is right in its place.
     *
     * @param name of the case
     */
    private record Defect(String name, String peers, String right) {
        String fix(String text) {
            return text.replace(peers, right).replace(inFile(peers), inFile(right));
        }

        /** As the text of a file stands in a cloud-config document. */
        private static String inFile(String text) {
            return text.replace("\n", "\n    ");
        }
    }

    static List<Defect> textDefects() {
        return List.of(
                new Defect(
                        "defect-cloud-init-control-characters",
                        "content: |-\n    bell\u0007 esc\u001B\n    ",
                        "content: \"bell\\x07 esc\\x1B\\n\""),
                new Defect(
                        "defect-cloud-init-leading-spaces",
                        "content: |-\n        four spaces first\n      two\n    none\n    ",
                        "content: \"    four spaces first\\n  two\\nnone\\n\""),
                new Defect(
                        "defect-cloud-init-line-separators",
                        "content: |-\n    ls\u2028x ps\u2029x\n    ",
                        "content: \"ls\\u2028x ps\\u2029x\\n\""),
                new Defect(
                        "defect-ignition-leading-space-lost",
                        "data:,both%20lines%0Aare%20indented%0A",
                        "data:,%20%20both%20lines%0A%20%20are%20indented%0A"),
                new Defect(
                        "defect-rhel-aws-subscription-password",
                        "    password: p'a\"s: s #1\n",
                        "    password: \"p'a\\\"s: s #1\"\n"),
                new Defect(
                        "defect-ubuntu-aws-mirror-order",
                        host("https://a-second.example.org") + host("https://z-first.example.org"),
                        host("https://z-first.example.org") + host("https://a-second.example.org")),
                new Defect(
                        "defect-ubuntu-aws-mirror-same-host",
                        "server = \"registry.example.org/b\"\n\n" + host("https://mirror-b.example.org"),
                        "server = \"registry.example.org\"\n\n" + host("https://mirror-a.example.org")
                                + host("https://mirror-b.example.org")),
                new Defect(
                        "defect-ubuntu-hetzner-proxy-with-braces",
                        "http://<no value>@proxy",
                        "http://{{ .KubeVersion }}@proxy"),
                new Defect(
                        "defect-ubuntu-hetzner-ssh-key-quote",
                        "- 'ssh-ed25519 AAAA it's quoted'",
                        "- 'ssh-ed25519 AAAA it''s quoted'"));
    }

    private static String host(String url) {
        return "[host.\"" + url + "\"]\ncapabilities = [\"pull\", \"resolve\"]\n";
    }

    @ParameterizedTest
    @MethodSource("textDefects")
    void writesWhatIsRight(Defect defect) {
        assertThat(differences(defect.name(), defect::fix)).isEmpty();
    }

    /** A template prints a Go value as Go does; the profile has to name the field that it wants. */
    @Test
    void printsAnAgeAsGoDoes() {
        PipelineCorpus corpus = OsmFixtures.all();
        PipelineCase test = corpus.read("defect-ubuntu-aws-image-gc-age");

        assertThat(corpus.differences(test, corpus.run(test))).isEmpty();
    }

    @Test
    void writesAnEdgeScriptThatIsThereAlready() {
        PipelineCorpus corpus = OsmFixtures.all();

        PipelineResult result = corpus.run(corpus.read("defect-err-edge-script-exists"));

        assertThat(result.findings()).isEmpty();
        assertThat(result.files()).containsKeys("osc.yaml", "provisioning.txt", "bootstrap.txt", "edge-script.txt");
    }

    private static Set<String> tested() {
        Set<String> tested = new TreeSet<>(List.of("defect-ubuntu-aws-image-gc-age", "defect-err-edge-script-exists"));
        textDefects().forEach(defect -> tested.add(defect.name()));
        return tested;
    }

    @Test
    void everyDefectIsDocumented() throws IOException {
        Path page = Path.of(System.getProperty("osmhub.root", "..")).resolve("docs/compatibility.md");

        assertThat(Files.readString(page))
                .contains(tested().stream().map(name -> "`" + name + "`").toList());
    }

    @Test
    void everyDefectOfTheCasesIsTestedHere() {
        assertThat(OsmFixtures.all().names().stream().filter(name -> name.startsWith("defect-")))
                .containsExactlyElementsOf(tested());
    }

    private static List<String> differences(String name, UnaryOperator<String> fix) {
        PipelineCorpus corpus = OsmFixtures.all();
        PipelineCase test = corpus.read(name);
        PipelineResult result = corpus.run(test);
        // A fix that does not apply would pass OSM's result unseen.
        assertThat(corpus.differences(test, result)).isNotEmpty();
        return corpus.differences(test, MendedResults.of(test, fix), result);
    }
}

package io.osmhub.core.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.corpus.PipelineCase;
import io.osmhub.core.corpus.PipelineCorpus;
import io.osmhub.core.corpus.PipelineResult;
import io.osmhub.core.corpus.PipelineRun;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.emit.yaml.YamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Renderings whose results lie beside them: cases of our own in {@code render}, for rules that no case of OSM's covers,
 * and the examples of the documentation. With {@code UPDATE=true} the results are rewritten; the difference is
 * what to review.
 */
class OwnRenderingsTest {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", ".."));
    private static final Path RESOURCES = ROOT.resolve("core/src/test/resources");
    private static final Path EXAMPLES = ROOT.resolve("docs/examples");
    private static final Set<String> INPUTS = Set.of("case.yaml", "machinedeployment.yaml", "osp.yaml");

    static List<String> cases() {
        return new PipelineCorpus(RESOURCES.resolve("render")).names();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void rendersAsBefore(String name) throws IOException {
        PipelineCorpus corpus = new PipelineCorpus(RESOURCES.resolve("render"));

        PipelineResult result = corpus.run(corpus.read(name));

        compare(RESOURCES.resolve("render").resolve(name), result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ubuntu", "flatcar"})
    void rendersTheExamplesOfTheDocumentation(String operatingSystem) throws IOException {
        Path results = RESOURCES.resolve("examples").resolve(operatingSystem);
        boolean ubuntu = operatingSystem.equals("ubuntu");
        PipelineCase example = PipelineCase.of(
                Files.readString(RESOURCES.resolve("examples/case.yaml")),
                Files.readString((ubuntu ? EXAMPLES : results).resolve("machinedeployment.yaml")),
                Files.readString(EXAMPLES.resolve(ubuntu ? "osp.yaml" : "osp-flatcar.yaml")));
        SourceDocument tenant = YamlDocumentReader.read(
                        "tenant.yaml", Files.readString(EXAMPLES.resolve("tenant.yaml")), Reason.SettingsInvalid)
                .getFirst();
        SettingsLayer settings = SettingsReader.readFile(tenant);

        compare(results, new PipelineRun().run(example, settings));
    }

    private static void compare(Path directory, PipelineResult result) throws IOException {
        Map<String, String> got = readable(result);
        if (Boolean.getBoolean("osmhub.update")) {
            for (Map.Entry<String, String> file : got.entrySet()) {
                Files.writeString(directory.resolve(file.getKey()), file.getValue());
            }
        }
        TreeSet<String> files = new TreeSet<>();
        try (Stream<Path> all = Files.list(directory)) {
            all.map(file -> Objects.toString(file.getFileName()))
                    .filter(file -> !INPUTS.contains(file))
                    .forEach(files::add);
        }
        assertThat(files).as("files of results in " + directory).isEqualTo(got.keySet());
        for (Map.Entry<String, String> file : got.entrySet()) {
            assertThat(file.getValue()).as(file.getKey()).isEqualTo(Files.readString(directory.resolve(file.getKey())));
        }
    }

    /** The payloads, and the stored object as people read it. The Secrets hold nothing else than the payloads. */
    private static Map<String, String> readable(PipelineResult result) {
        Map<String, String> files = new TreeMap<>(result.files());
        files.keySet().removeIf(file -> file.endsWith("-secret.yaml"));
        files.computeIfPresent("osc.yaml", (file, json) -> yaml(json));
        files.computeIfPresent("error.txt", (file, text) -> text + "\n");
        return files;
    }

    private static String yaml(String json) {
        try {
            return GoString.text(YamlEncoder.marshal(GoJson.decode(GoString.bytes(json))));
        } catch (GoCallException e) {
            throw new IllegalStateException("own JSON is not JSON: " + e.text(), e);
        }
    }
}

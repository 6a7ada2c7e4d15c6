package io.osmhub.core.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.emit.toml.TomlDecoder;
import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.render.FilesDataForm;
import io.osmhub.core.template.corpus.CorpusReport;
import io.osmhub.core.template.corpus.CorpusValues;
import io.osmhub.core.template.corpus.GoDecodeCorpus;
import io.osmhub.core.template.corpus.GoTemplateCorpus;
import io.osmhub.core.template.corpus.GoTomlCorpus;
import io.osmhub.core.template.corpus.GoYamlCorpus;
import io.osmhub.core.template.corpus.UnsupportedCases;
import io.osmhub.core.template.language.TemplateEngines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that Go's own libraries gave for the cases kept with the tests: the same text, or an error as well. */
class CorpusTest {
    private static final CorpusValues VALUES = FilesDataForm.values();

    @ParameterizedTest
    @MethodSource("templates")
    void executesTemplatesAsGoDoes(Path file, TestReporter reporter) {
        check(reporter, file, new GoTemplateCorpus(TemplateEngines.goFunctions(), VALUES).run(lines(file)));
    }

    @ParameterizedTest
    @MethodSource("templates")
    void executesTemplatesThatAlsoShowGoSyntax(Path file) {
        GoTemplateCorpus corpus = new GoTemplateCorpus(TemplateEngines.goFunctions(), VALUES);

        // The texts of a decoder's errors are ours.
        assertThat(corpus.runWithoutGoSyntax(lines(file)).differences())
                .filteredOn(difference -> !difference.got().contains(": invalid syntax"))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void writesYamlAsGoDoes(Path file, TestReporter reporter) {
        check(reporter, file, GoYamlCorpus.run(lines(file), VALUES));
    }

    @ParameterizedTest
    @MethodSource("toml")
    void writesTomlAsGoDoes(Path file, TestReporter reporter) {
        check(reporter, file, GoTomlCorpus.run(lines(file), VALUES));
    }

    @ParameterizedTest
    @MethodSource("yamlToRead")
    void readsYamlAsGoDoes(Path file, TestReporter reporter) {
        check(reporter, file, GoDecodeCorpus.run(lines(file), CorpusTest::readYaml));
    }

    @ParameterizedTest
    @MethodSource("tomlToRead")
    void readsTomlAsGoDoes(Path file, TestReporter reporter) {
        check(reporter, file, GoDecodeCorpus.run(lines(file), CorpusTest::readToml));
    }

    private static GoValue readYaml(String bytes) throws GoCallException {
        return YamlDecoder.decode(bytes, null);
    }

    private static GoValue readToml(String bytes) throws GoCallException {
        return TomlDecoder.decode(bytes, null);
    }

    private static void check(TestReporter reporter, Path file, CorpusReport report) {
        reporter.publishEntry(file.toString(), report.passed() + " passed");
        assertThat(report.compared() + report.refusals().size())
                .as("results in %s", file)
                .isPositive();
        assertThat(report.differences())
                .filteredOn(difference -> UnsupportedCases.difference(difference.id()) == null)
                .isEmpty();
        assertThat(report.refusals()).allSatisfy(refusal -> assertThat(refusal.name())
                .as(refusal.id())
                .isEqualTo(UnsupportedCases.refusedName(refusal.id())));
    }

    /** So that the list has no case that the engine supports. */
    @Test
    void everyCaseOfTheListIsUnsupported() {
        Set<String> unsupported = new TreeSet<>();
        addUnsupported(
                templates(),
                lines -> new GoTemplateCorpus(TemplateEngines.goFunctions(), VALUES).run(lines),
                unsupported);
        addUnsupported(yaml(), lines -> GoYamlCorpus.run(lines, VALUES), unsupported);
        addUnsupported(toml(), lines -> GoTomlCorpus.run(lines, VALUES), unsupported);
        addUnsupported(yamlToRead(), lines -> GoDecodeCorpus.run(lines, CorpusTest::readYaml), unsupported);
        addUnsupported(tomlToRead(), lines -> GoDecodeCorpus.run(lines, CorpusTest::readToml), unsupported);
        unsupported.addAll(OsmFixtures.own().names());
        unsupported.addAll(new PipelineCorpus(OsmFixtures.THIRD_PARTY_PARTS).names());

        assertThat(UnsupportedCases.reasons().keySet()).isSubsetOf(unsupported);
    }

    private static void addUnsupported(
            List<Path> files, Function<List<String>, CorpusReport> corpus, Set<String> unsupported) {
        for (Path file : files) {
            CorpusReport report = corpus.apply(lines(file));
            report.refusals().forEach(refusal -> unsupported.add(refusal.id()));
            report.differences().forEach(difference -> unsupported.add(difference.id()));
        }
    }

    static List<Path> templates() {
        return files("gotemplate");
    }

    static List<Path> yaml() {
        return files("goyaml");
    }

    static List<Path> toml() {
        return files("gotoml");
    }

    static List<Path> yamlToRead() {
        return files("goyaml-decode");
    }

    static List<Path> tomlToRead() {
        return files("gotoml-decode");
    }

    private static List<Path> files(String corpus) {
        Path folder = Path.of(System.getProperty("osmhub.root", ".."))
                .resolve("core/go-templates/src/test/resources/corpus")
                .resolve(corpus);
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

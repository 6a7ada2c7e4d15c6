package io.osmhub.core.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.emit.toml.TomlDecoder;
import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.render.FilesDataForm;
import io.osmhub.core.template.corpus.CorpusReport;
import io.osmhub.core.template.corpus.CorpusValues;
import io.osmhub.core.template.corpus.GoDecodeCorpus;
import io.osmhub.core.template.corpus.GoTemplateCorpus;
import io.osmhub.core.template.corpus.GoTomlCorpus;
import io.osmhub.core.template.corpus.GoYamlCorpus;
import io.osmhub.core.template.language.TemplateEngines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that Go's own libraries gave for the cases kept with the tests: the same text, or an error of the same stage. */
class CorpusTest {
    private static final CorpusValues VALUES = FilesDataForm.values();

    @ParameterizedTest
    @MethodSource("templates")
    void executesTemplatesAsGoDoes(Path file, TestReporter reporter) {
        check(reporter, file, new GoTemplateCorpus(TemplateEngines.goFunctions(), VALUES).run(lines(file)));
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
        check(reporter, file, GoDecodeCorpus.run(lines(file), YamlDecoder::decode));
    }

    @ParameterizedTest
    @MethodSource("tomlToRead")
    void readsTomlAsGoDoes(Path file, TestReporter reporter) {
        check(reporter, file, GoDecodeCorpus.run(lines(file), TomlDecoder::decode));
    }

    private static void check(TestReporter reporter, Path file, CorpusReport report) {
        reporter.publishEntry(file.toString(), report.passed() + " passed");
        assertThat(report.compared()).as("results in %s", file).isPositive();
        assertThat(report.differences()).isEmpty();
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

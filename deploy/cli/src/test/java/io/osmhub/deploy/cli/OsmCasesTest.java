package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.corpus.PipelineCorpus;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.template.corpus.UnsupportedCases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** What {@code hub render} writes for the cases of OSM, byte for byte. */
final class OsmCasesTest {
    /** Cases about what is there already; files say what a new machine gets. */
    private static final List<String> ABOUT_STORED_OBJECTS = List.of(
            "defect-err-edge-script-exists",
            "existing-kubelet-bootstrap-kept",
            "existing-osc-current",
            "existing-osc-other-revision",
            "existing-secrets-without-osc");

    /** Without a cluster a placeholder stands for what a cluster must have, and a token that is given is the token. */
    private static final List<String> NOT_REFUSED =
            List.of("err-no-fetch-token", "err-no-cluster-info", "err-two-bootstrap-tokens");

    private static final Pattern PLACEHOLDER = Pattern.compile("<redacted:[a-z-]+>");

    @TempDir
    private Path scratch;

    @Test
    void writesTheFilesOfOsmForOurProfiles(TestReporter reporter) throws IOException {
        compare(OsmFixtures.own(), reporter);
    }

    @Test
    void writesTheFilesOfOsmForAllProfiles(TestReporter reporter) throws IOException {
        compare(OsmFixtures.all(), reporter);
    }

    private void compare(PipelineCorpus cases, TestReporter reporter) throws IOException {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (String name : cases.names()) {
            OsmCase test = OsmCase.read(cases.folder(name));
            if (!ABOUT_STORED_OBJECTS.contains(test.name()) && !test.name().startsWith("defect-")) {
                differences.addAll(differences(test));
                compared++;
            }
        }

        reporter.publishEntry("cases of OSM", compared + " compared, " + differences.size() + " differences");
        assertThat(differences).isEmpty();
        assertThat(compared).isPositive();
    }

    private List<String> differences(OsmCase test) throws IOException {
        Path work = Files.createDirectory(scratch.resolve(test.name()));
        Path out = work.resolve("out");
        List<String> options = test.options(work);
        options.addAll(List.of("--out", out.toString()));

        CommandRun run = CommandRun.of(options.toArray(String[]::new));

        boolean refusedByName = UnsupportedCases.refusedName(test.name()) != null;
        boolean published = UnsupportedCases.difference(test.name()) != null || NOT_REFUSED.contains(test.name());
        if (refusedByName || (test.refused() && !published)) {
            return run.exitCode() == ExitCode.UNUSABLE_INPUT && !Files.exists(out)
                    ? List.of()
                    : List.of(test.name() + ": not refused, " + run.exitCode() + " " + run.err());
        }
        if (run.exitCode() != ExitCode.OK) {
            return List.of(test.name() + ": " + run.err());
        }
        if (test.refused()) {
            return List.of();
        }
        List<String> differences = new ArrayList<>();
        Set<String> names = new TreeSet<>(names(test.directory()));
        names.addAll(names(out));
        for (String name : names) {
            Path want = test.directory().resolve(name);
            Path got = out.resolve(name);
            if (!Files.exists(want) || !Files.exists(got)) {
                differences.add(test.name() + "/" + name + ": only " + (Files.exists(want) ? "wanted" : "written"));
            } else if (!name.startsWith("edge-script") && !same(name, Files.readString(want), Files.readString(got))) {
                differences.add(test.name() + "/" + name);
            }
        }
        return differences;
    }

    private static Set<String> names(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.equals("osc.yaml")
                            || name.endsWith("-secret.yaml")
                            || (name.endsWith(".txt") && !name.equals("events.txt")))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Payloads are the same bytes; objects are the same YAML but for placeholders and the peer's immutability. */
    private static boolean same(String name, String want, String got) {
        return name.endsWith(".txt") ? want.equals(got) : same(tree(want), tree(got));
    }

    private static DocumentNode tree(String yaml) {
        return SourceDocument.readAll("", yaml, Reason.SettingsInvalid)
                .getFirst()
                .root();
    }

    private static boolean same(DocumentNode want, DocumentNode got) {
        return switch (want) {
            case DocumentNode.Scalar scalar ->
                got instanceof DocumentNode.Scalar other
                        && scalar.kind() == other.kind()
                        && withPlaceholders(other.text()).matcher(scalar.text()).matches();
            case DocumentNode.Items items ->
                got instanceof DocumentNode.Items other && same(items.nodes(), other.nodes());
            case DocumentNode.Fields fields -> {
                Map<String, DocumentNode> wanted = present(fields);
                Map<String, DocumentNode> gotten = got instanceof DocumentNode.Fields other ? present(other) : Map.of();
                yield wanted.keySet().equals(gotten.keySet())
                        && same(List.copyOf(wanted.values()), List.copyOf(gotten.values()));
            }
        };
    }

    private static boolean same(List<DocumentNode> want, List<DocumentNode> got) {
        return want.size() == got.size()
                && IntStream.range(0, want.size()).allMatch(i -> same(want.get(i), got.get(i)));
    }

    private static Map<String, DocumentNode> present(DocumentNode.Fields fields) {
        Map<String, DocumentNode> present = new TreeMap<>();
        fields.fields().stream()
                .filter(field -> !field.name().equals("immutable"))
                .filter(field -> !(field.value() instanceof DocumentNode.Scalar scalar
                        && scalar.kind() == DocumentNode.Kind.NULL))
                .forEach(field -> present.put(field.name(), field.value()));
        return present;
    }

    private static Pattern withPlaceholders(String text) {
        return Pattern.compile(
                Stream.of(PLACEHOLDER.split(text, -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                Pattern.DOTALL);
    }
}

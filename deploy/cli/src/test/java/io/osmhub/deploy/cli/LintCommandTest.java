package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code hub lint} as people and programs call it. */
final class LintCommandTest {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../.."));
    private static final Path EXAMPLES = ROOT.resolve("docs/examples");

    @TempDir
    private Path directory;

    private static String example() {
        try {
            return Files.readString(EXAMPLES.resolve("osp.yaml"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private static JsonNode json(CommandRun run) throws JsonProcessingException {
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void findsNothingInTheExamples() {
        CommandRun run = CommandRun.of("lint", EXAMPLES.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("osp-example: no findings in 84 renderings (ubuntu x aws, hetzner, openstack x 1.31 to 1.37)")
                .contains("note: 3 files without an OperatingSystemProfile skipped");
    }

    @Test
    void printsOneLineForEachFindingWithPlaceCauseCureAndRule() throws IOException {
        String file = write("osp.yaml", example().replace("| trim }}", "| trimm }}"));

        CommandRun run = CommandRun.of("lint", file);

        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(run.out().lines()).hasSize(2).allSatisfy(line -> assertThat(line)
                .startsWith(file + ":")
                .matches(".*:\\d+:\\d+: error: spec\\..*trimm.*; did you mean \"trim\"\\? \\(template-syntax\\)"));
        assertThat(run.err()).contains("osp-example: 2 errors in ");
    }

    @Test
    void escapesCharactersThatActOnATerminal() throws IOException {
        // In a double-quoted YAML key: ESC, an OSC that sets the title, and CR LF.
        String file = write(
                "osp.yaml",
                example().replace("version: v1.0.0", "version: v1.0.0\n  \"\\e[2J\\e]0;title\\a\\r\\nx\": 1"));

        CommandRun run = CommandRun.of("lint", file);

        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(run.out()).contains("\\u001b[2J\\u001b]0;title\\u0007");
        assertThat(run.out() + run.err()).doesNotContain("\u001b", "\u0007", "\r");
    }

    @Test
    void answersForAHostileFile() throws IOException {
        for (String text : new String[] {"[".repeat(200_000), "- ".repeat(200_000), "a: 1" + "0".repeat(2_000_000)}) {
            CommandRun run = CommandRun.of("lint", write("osp.yaml", text));

            assertThat(run.exitCode()).isNotZero();
            assertThat(run.out() + run.err()).containsAnyOf("is nested more than 100 levels deep", "found none");
        }
    }

    @Test
    void answersForAHostileKubeconfig() throws IOException {
        for (String text : new String[] {"[".repeat(200_000), "- ".repeat(200_000), "{a: ".repeat(100_000)}) {
            String file = write("kubeconfig", text);

            CommandRun run = CommandRun.of("lint", "-n", "tenant", "osp-example", "--kubeconfig", file);

            assertThat(run.exitCode()).isNotZero();
            assertThat(run.err()).contains("kubeconfig " + file + " is not valid YAML of kind Config");
        }
    }

    @Test
    void saysInWhichCombinationsAFindingShows() throws IOException {
        String file = write(
                "osp.yaml",
                example()
                        .replace(
                                "net.ipv6.conf.all.forwarding = 1",
                                "net.ipv6.conf.all.forwarding = {{ .Forwarding }}"));

        CommandRun run = CommandRun.of("lint", file);

        assertThat(run.out())
                .contains("(template-execution, 63 of 84 combinations: aws, Kubernetes 1.31, everything set, ...)");
    }

    @Test
    void rendersOnlyWhatTheMatrixNames() {
        String file = EXAMPLES.resolve("osp.yaml").toString();

        CommandRun some = CommandRun.of("lint", file, "--matrix", "1.31,aws,ubuntu,1.36");
        CommandRun none = CommandRun.of("lint", file, "--matrix=azure");
        CommandRun mistaken = CommandRun.of("lint", file, "--matrix", "ubuntu,awz");

        assertThat(some.exitCode()).isZero();
        assertThat(some.err()).contains("no findings in 8 renderings (ubuntu x aws x 1.31 to 1.36)");
        assertThat(none.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(none.err())
                .contains("hub: --matrix: no profile supports this combination, so nothing was rendered; ");
        assertThat(mistaken.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(mistaken.err())
                .contains("hub: --matrix: \"awz\" is not an operating system")
                .contains("mean aws?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--server=http://x",
                "--token-file=t",
                "--ca-file=c",
                "--service-account=a/b",
                "--hub-namespace=h",
                "--context=c",
                "--timeout=1s",
                "--request-timeout=1s",
                "--as=u",
                "--quiet",
                "--verbose",
                "--kubeconfig=k"
            })
    void optionsWithoutEffectAreRejected(String option) {
        String name = option.replaceFirst("=.*", "");
        for (CommandRun run : List.of(
                CommandRun.of("lint", EXAMPLES.toString(), option),
                CommandRun.of("cluster", "rbac", option),
                CommandRun.of("version", "--client", option))) {
            assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
            assertThat(run.err()).contains(name + ": has no effect with");
        }
    }

    @Test
    void readsStandardInput() {
        CommandRun run = CommandRun.withInput(example().replace("osName: ubuntu", "osName: ubunto"), "lint", "-");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(run.out()).startsWith("<stdin>:8:").contains("did you mean \"ubuntu\"");
    }

    @Test
    void writesTheSameReportAsYaml() throws IOException {
        String file = write("osp.yaml", example().replace("{{ .ServerURL }}/api", "{{ .ServerUrl }}/api"));

        CommandRun json = CommandRun.of("lint", "-o", "json", file);
        CommandRun yaml = CommandRun.of("lint", "-o", "yaml", file);

        assertThat(yaml.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        String read = SourceDocument.json(YamlDocumentReader.read("out", yaml.out(), Reason.SettingsInvalid)
                        .getFirst()
                        .root())
                .toString();
        assertThat(json(new CommandRun(yaml.exitCode(), read, yaml.err()))).isEqualTo(json(json));
    }

    @Test
    void writesJsonWithTheFieldsThatAreDocumented() throws IOException {
        String file = write("osp.yaml", example().replace("{{ .ServerURL }}/api", "{{ .ServerUrl }}/api"));

        CommandRun run = CommandRun.of("lint", "-o", "json", file);

        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        JsonNode report = json(run);
        assertThat(report.path("errors").intValue()).isEqualTo(1);
        assertThat(report.path("combinations").intValue()).isEqualTo(84);
        assertThat(report.path("profiles").path(0).path("cloudProviders"))
                .extracting(JsonNode::asText)
                .containsExactly("aws", "hetzner", "openstack");
        JsonNode finding = report.path("findings").path(0);
        assertThat(finding.path("severity").asText()).isEqualTo("Error");
        assertThat(finding.path("rule").asText()).isEqualTo("template-execution");
        assertThat(finding.path("profile").asText()).isEqualTo("osp-example");
        assertThat(finding.path("file").asText()).isEqualTo(file);
        assertThat(finding.path("fileLine").intValue())
                .isEqualTo(1
                        + (int) example()
                                .substring(0, example().indexOf("{{ .ServerURL }}/api"))
                                .chars()
                                .filter(c -> c == '\n')
                                .count());
        assertThat(finding.path("field").asText()).isEqualTo("spec.bootstrapConfig.files[0]");
        assertThat(finding.path("path").asText()).isEqualTo("/opt/bin/bootstrap");
        assertThat(finding.path("line").intValue()).isEqualTo(12);
        assertThat(finding.path("cure").asText()).isEqualTo("did you mean ServerURL?");
        assertThat(finding.path("combinations").intValue()).isEqualTo(84);
        String documentation = Files.readString(ROOT.resolve("docs/reference/lint.md"));
        assertThat(finding.fieldNames()).toIterable().allSatisfy(name -> assertThat(documentation)
                .contains("`" + name + "`"));
        assertThat(report.fieldNames()).toIterable().allSatisfy(name -> assertThat(documentation)
                .contains("`" + name + "`"));
    }

    @Test
    void passesWarningsWhenOnlyErrorsCount() throws IOException {
        String file = write("osp.yaml", example().replace("- name: hetzner", "- name: aws"));

        assertThat(CommandRun.of("lint", file).exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(CommandRun.of("lint", "--fail-on", "error", file).exitCode()).isZero();
        assertThat(CommandRun.of("lint", "--fail-on=error", file).out()).contains(": warning: ");
    }

    @Test
    void checksTheOtherFilesWhenOneCannotBeRead() throws IOException {
        String wrong = write("wrong.yaml", example().replace("osName: ubuntu", "osName: ubunto"));
        String latin = directory.resolve("latin.yaml").toString();
        Files.write(Path.of(latin), "a: \u00e9".getBytes(StandardCharsets.ISO_8859_1));

        CommandRun run = CommandRun.of("lint", "nowhere.yaml", latin, wrong);

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.out()).contains("ubunto");
        assertThat(run.err())
                .contains("hub: nowhere.yaml: file not found; check the path")
                .contains("hub: " + latin + ": is not UTF-8 text; store it as UTF-8");
    }

    @Test
    void refusesFilesWithoutAProfile() {
        CommandRun run = CommandRun.of("lint", EXAMPLES.resolve("tenant.yaml").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).contains("tenant.yaml: expected an OperatingSystemProfile, found none");
    }

    @Test
    void passesOverOtherFilesOfADirectory() throws IOException {
        write("chart.yaml", "{{- if .Values.a }}\na: [\n{{- end }}\n");
        write("notes.txt", "x");

        CommandRun nothing = CommandRun.of("lint", directory.toString());
        write("osp.yml", example());
        CommandRun one = CommandRun.of("lint", directory.toString());

        assertThat(nothing.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(one.exitCode()).isZero();
    }

    @Test
    void refusesUsageThatItDoesNotKnow() {
        assertThat(CommandRun.of("lint").exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(CommandRun.of("lint", "-o", "xml", "a").exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(CommandRun.of("lint", "--fail-on", "info", "a").exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
    }

    @Test
    void explainsItself() {
        CommandRun run = CommandRun.of("lint", "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("hub lint", "--fail-on", "Examples:", "Exit codes: 0 nothing found, 1 findings, 2 ");
    }

    @Test
    void reportsWhatAnExtensionBringsAbout() throws IOException {
        String broken = example().replace("| trim }}", "| trimm }}");
        String profile = write("osp.yaml", broken);
        String fitting = write("fitting.yaml", RenderCommandTest.extension("/etc/site.json", "{}"));
        String wrong = write("wrong.yaml", RenderCommandTest.extension("/etc/site.json", "{"));

        CommandRun none = CommandRun.of("lint", profile, "--extension", fitting);
        CommandRun some = CommandRun.of("lint", profile, "--extension", wrong);

        assertThat(none.exitCode()).isZero();
        assertThat(none.out()).isEmpty();
        assertThat(some.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(some.out().lines())
                .singleElement()
                .asString()
                .startsWith(wrong + ":")
                .contains(": spec.provisioning.files[0] (/etc/site.json)");
        assertThat(json(CommandRun.of("lint", profile, "--extension", wrong, "-o", "json"))
                        .at("/findings/0/file")
                        .asText())
                .isEqualTo(wrong);
        assertThat(CommandRun.of("lint", wrong).exitCode()).isZero();
        String conflict = write("conflict.yaml", RenderCommandTest.extension("/opt/bin/bootstrap", "x"));
        assertThat(CommandRun.of("lint", conflict, profile).out())
                .contains("conflict.yaml:8:", "/opt/bin/bootstrap is written by OperatingSystemProfile");
        assertThat(CommandRun.of("lint", fitting, "--extension", profile).err())
                .contains("contains no OperatingSystemProfileExtension, but OperatingSystemProfile");
        assertThat(CommandRun.of("lint", profile, "--extension", fitting, "--air-gapped")
                        .err())
                .contains("omit --extension");
    }

    @Test
    void checksAnExtensionToComposeAlsoAlone() throws IOException {
        String profile = write("osp.yaml", example());
        String extension = RenderCommandTest.extension("/etc/site.json", "{}");
        String other = write("other.yaml", extension.replace("[ubuntu]", "[flatcar]"));
        String misspelled = write(
                "misspelled.yaml",
                extension.replace(
                        "  provisioning:\n", "  provisioning:\n    kubeletConfiguration: {failSwapon: false}\n"));
        String template =
                write("template.yaml", RenderCommandTest.extension("/etc/x", "{{ end }}") + "  templateEngine: go\n");

        CommandRun unused = CommandRun.of("lint", profile, "--extension", other);
        CommandRun typo = CommandRun.of("lint", profile, "--extension", misspelled);
        CommandRun broken = CommandRun.of("lint", profile, "--extension", template);

        assertThat(unused.exitCode()).isZero();
        assertThat(unused.err())
                .contains("note: OperatingSystemProfileExtension osm-profiles/site is not applied, because its target");
        assertThat(typo.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(typo.out()).startsWith(misspelled + ":").contains("did you mean \"failSwapOn\"?");
        assertThat(typo.err()).doesNotContain("note:");
        assertThat(broken.out().lines())
                .singleElement()
                .asString()
                .startsWith(template + ":")
                .endsWith("(template-syntax)");
    }
}

package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.AppliedExtensions.Candidates;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.template.language.TemplateEngines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Extensions in the linter, alone and composed with profiles. */
final class ExtensionLintTest {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", ".."));
    private static final Path EXAMPLES = ROOT.resolve("core/src/test/resources/extensions/examples.yaml");
    private static final String HEAD = """
            apiVersion: osmhub.io/v1alpha1
            kind: OperatingSystemProfileExtension
            metadata: {name: site, namespace: osm-profiles}
            spec:
              target: {operatingSystems: [ubuntu]}
              policy: Default
            """;

    private static Linter.Extensions extensions(String text) {
        List<CompiledExtension> extensions = new ArrayList<>();
        Map<String, SourceDocument> sources = new LinkedHashMap<>();
        for (SourceDocument document : SourceDocument.readAll("site.yaml", text, Reason.ExtensionInvalid)) {
            ProfileExtension extension = ProfileExtension.read(SourceDocument.json(document.root()));
            sources.put(extension.describe().toString(), document);
            extensions.add(CompiledExtension.compile(extension, new TemplateEngines()));
        }
        return new Linter.Extensions(new Candidates("osm-profiles", extensions), sources);
    }

    private static List<String> messages(List<ProfileLintReport> reports) {
        return reports.stream()
                .flatMap(report -> report.findings().stream())
                .map(finding -> finding.severity() + " " + finding.file()
                        + (finding.file().isEmpty() ? "" : ":")
                        + finding.position().line() + " " + finding.message() + " ("
                        + finding.rule() + ")")
                .toList();
    }

    private static List<String> lint(String extension) {
        return messages(new Linter(ScriptChecker.NONE, System::nanoTime).lint("site.yaml", HEAD + extension));
    }

    private static List<String> compose(String profile, String extension) throws IOException {
        Path file = ROOT.resolve("deploy/packaging/manifests/profiles").resolve(profile + ".yaml");
        return messages(new Linter(ScriptChecker.NONE, System::nanoTime)
                .lint(
                        profile,
                        Files.readString(file),
                        MatrixFilter.of(List.of("aws", "1.34")),
                        null,
                        extensions(HEAD + extension),
                        List.of()));
    }

    @Test
    void theExamplesBringNoFindingToAnyProfile() throws IOException {
        Linter linter = new Linter(Bash.orSkip(), System::nanoTime);
        Linter.Extensions examples = extensions(Files.readString(EXAMPLES));
        List<Path> profiles = new ArrayList<>();
        for (Path folder : List.of(
                ROOT.resolve("deploy/packaging/manifests/profiles"),
                OsmFixtures.shared().resolve("osps"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> String.valueOf(file.getFileName()).startsWith("osp-"))
                        .sorted()
                        .forEach(profiles::add);
            }
        }

        List<String> found = new ArrayList<>();
        int renderings = 0;
        for (Path profile : profiles) {
            for (ProfileLintReport report : linter.lint(
                    profile.toString(), Files.readString(profile), MatrixFilter.ALL, null, examples, List.of())) {
                renderings += report.matrix().renderings();
                report.findings().stream()
                        .filter(finding -> finding.severity() != LintSeverity.INFO)
                        .forEach(finding ->
                                found.add(profile.getFileName() + ": " + finding.message() + " " + finding.evidence()));
            }
        }

        assertThat(profiles).hasSize(11);
        assertThat(renderings).isGreaterThan(1_900);
        // OSM's profiles print image ages as Go values, which the linter reports without an extension, too. The
        // kubelet's file is
        // no YAML then, so that nothing can be merged into it.
        assertThat(found).hasSize(3).allSatisfy(message -> assertThat(message)
                .startsWith("osp-")
                .contains(
                        "kubeletConfiguration: OperatingSystemProfile kube-system/osp-",
                        "renders a /etc/kubernetes/kubelet.conf that is not valid YAML",
                        "everything set"));
        assertThat(messages(linter.lint("examples.yaml", Files.readString(EXAMPLES))))
                .isEmpty();
    }

    @Test
    void theExamplesOfThePageBringNoFinding() throws IOException {
        Linter linter = new Linter(Bash.orSkip(), System::nanoTime);
        String page = Files.readString(ROOT.resolve("docs/how-to/extend-a-profile.md"));
        String examples = Pattern.compile("(?ms)^```yaml.*?\\n(.*?)^```$")
                .matcher(page)
                .results()
                .map(block -> block.group(1))
                .collect(Collectors.joining("---\n"));
        String profile = Files.readString(ROOT.resolve("deploy/packaging/manifests/profiles/osp-ubuntu.yaml"));
        MatrixFilter choice = MatrixFilter.of(List.of("aws", "1.34"));

        assertThat(extensions(examples).candidates().extensions()).hasSize(6);
        assertThat(messages(linter.lint("page.yaml", examples))).isEmpty();
        assertThat(messages(linter.lint("osp-ubuntu.yaml", profile, choice, null, extensions(examples), List.of())))
                .allMatch(message -> message.startsWith("INFO "));
    }

    @Test
    void checksAnExtensionWithoutAProfile() {
        assertThat(lint("""
                  provisioning:
                    files:
                    - {path: /etc/x, permissions: 0644, content: x}
                    - {path: /etc//y, content: text}
                """))
                .hasSize(2)
                .anySatisfy(message -> assertThat(message)
                        .startsWith("ERROR 9 spec.provisioning.files[0].permissions: ")
                        .endsWith("(schema)"))
                .anySatisfy(message -> assertThat(message).startsWith("ERROR 10 spec.provisioning.files[1].path: "));
        assertThat(lint("""
                  templateEngine: go
                  provisioning:
                    files:
                    - path: /etc/x
                      content: |
                        a
                        b {{ toYamll . }}
                """))
                .singleElement()
                .asString()
                .startsWith("ERROR 13 spec.provisioning.files[0] (/etc/x) line 2: ")
                .endsWith("did you mean \"toYaml\"? (template-syntax)");
        assertThat(lint("""
                  provisioning:
                    kubeletConfiguration: {failSwapon: false, maxPods: many, evictionHard: {memory.available: 5%}}
                    files:
                    - {path: /etc/x, content: "{{ .Token }}"}
                    - {path: /etc/y, operation: Replace, content: text}
                """))
                .containsExactlyInAnyOrder(
                        "WARNING 8 spec.provisioning.kubeletConfiguration.failSwapon: no supported kubelet has a field"
                                + " failSwapon; did you mean \"failSwapOn\"? (extension)",
                        "ERROR 8 spec.provisioning.kubeletConfiguration: maxPods must be a whole number of at least 0,"
                                + " not \"many\" (file-content)",
                        "WARNING 10 spec.provisioning.files[0]: {{ is copied unchanged, because the extension has no"
                                + " templateEngine; set templateEngine to go or handlebars if it is a template"
                                + " (extension)",
                        "INFO 11 spec.provisioning.files[1]: replaces /etc/y of every later version of the profile, too;"
                                + " add baseSHA256 to be warned of a change (extension)");
    }

    @Test
    void checksTheSyntaxOfCommandsThatAreNoTemplates() {
        Linter linter = new Linter(Bash.orSkip(), System::nanoTime);
        String commands = """
                  provisioning:
                    beforeCommands:
                    - "true"
                    - |
                      if true; then
                        echo {{ .CloudProviderName }}
                    afterCommands:
                    - echo "unclosed
                """;

        assertThat(messages(linter.lint("site.yaml", HEAD + commands)))
                .filteredOn(message -> message.endsWith("(shell-syntax)"))
                .hasSize(2)
                .anySatisfy(message -> assertThat(message)
                        .startsWith("ERROR 10 spec.provisioning.beforeCommands[1]: ")
                        .contains("syntax error"))
                .anySatisfy(message -> assertThat(message).startsWith("ERROR 14 spec.provisioning.afterCommands[0]: "));
        String together = "  provisioning: {beforeCommands: [if true; then, echo a, fi]}\n";
        assertThat(messages(linter.lint("site.yaml", HEAD + together)))
                .noneMatch(message -> message.contains("shell-syntax"));
        assertThat(messages(linter.lint("site.yaml", HEAD + "  templateEngine: go\n" + commands)))
                .singleElement()
                .asString()
                .startsWith("ERROR 15 spec.provisioning.afterCommands[0]: ");
    }

    @Test
    void checksExtensionsToComposeWithoutAProfile() {
        Linter linter = new Linter(ScriptChecker.NONE, System::nanoTime);

        assertThat(messages(linter.lint(extensions(HEAD + """
                  provisioning:
                    kubeletConfiguration: {failSwapon: false}
                """))))
                .singleElement()
                .asString()
                .startsWith("WARNING 8 spec.provisioning.kubeletConfiguration.failSwapon: ");
    }

    @Test
    void reportsOnlyWhatTheExtensionBringsAbout() throws IOException {
        assertThat(compose("osp-ubuntu", "  provisioning: {files: [{path: /etc/x.json, content: '{\"a\": 1}'}]}\n"))
                .isEmpty();
        assertThat(compose("osp-ubuntu", "  provisioning: {files: [{path: /etc/x.json, content: '{\"a\": '}]}\n"))
                .singleElement()
                .asString()
                .startsWith("ERROR site.yaml:7 spec.provisioning.files[0] (/etc/x.json) line 1: ")
                .endsWith("(file-content)");
        assertThat(compose("osp-ubuntu", """
                  provisioning:
                    files:
                    - path: /etc/x.yaml
                      content: |
                        a: 1
                        b: [
                """))
                .singleElement()
                .asString()
                .startsWith("ERROR site.yaml:12 spec.provisioning.files[0] (/etc/x.yaml) line 2: ")
                .endsWith("(file-content)");
        assertThat(compose("osp-ubuntu", "  provisioning: {files: [{path: /opt/osm/lib.sh, content: x}]}\n"))
                .singleElement()
                .asString()
                .startsWith(
                        "ERROR site.yaml:7 spec.provisioning.files[0]: /opt/osm/lib.sh is written by OperatingSystemProfile ")
                .endsWith("(rendering)");
        assertThat(compose(
                        "osp-ubuntu",
                        "  provisioning: {files: [{path: /opt/osm/lib.sh, operation: Edit, optional: true, edits:"
                                + " [{find: absent, replace: x}]}, {path: /etc/none, operation: Remove}]}\n"))
                .singleElement()
                .asString()
                .startsWith(
                        "ERROR site.yaml:7 spec.provisioning.files[1]: the profile has no file /etc/none of OperatingSystemProfile ");
        assertThat(compose(
                        "osp-ubuntu",
                        "  provisioning: {files: [{path: /opt/osm/lib.sh, operation: Append, content: 'if'},"
                                + " {path: /opt/osm/none, operation: Remove, optional: true}]}\n"))
                .singleElement()
                .asString()
                .startsWith("INFO site.yaml:7 spec.provisioning.files[1]: the profile has no file /opt/osm/none of ")
                .contains("so this is skipped");
        assertThat(compose("osp-flatcar", "  provisioning: {files: [{path: /opt/osm/lib.sh, content: x}]}\n"))
                .isEmpty();
    }

    @Test
    void reportsConflictsWithTheProfilesOfTheSameCall() throws IOException {
        String profile = Files.readString(ROOT.resolve("deploy/packaging/manifests/profiles/osp-ubuntu.yaml"));
        String flatcar = Files.readString(ROOT.resolve("deploy/packaging/manifests/profiles/osp-flatcar.yaml"));
        String extension = HEAD + "  provisioning: {files: [{path: /opt/osm/lib.sh, content: x}]}\n";
        Linter linter = new Linter(ScriptChecker.NONE, System::nanoTime);

        assertThat(messages(linter.lint(
                        "site.yaml",
                        extension,
                        MatrixFilter.ALL,
                        null,
                        Linter.Extensions.NONE,
                        Linter.readProfiles(profile + "---\n" + flatcar))))
                .singleElement()
                .asString()
                .startsWith("ERROR 7 spec.provisioning.files[0]: /opt/osm/lib.sh is written by OperatingSystemProfile ")
                .endsWith("osp-ubuntu; use Replace, Edit or Append (extension)");
        assertThat(Linter.readProfiles("a: [")).isEmpty();
    }
}

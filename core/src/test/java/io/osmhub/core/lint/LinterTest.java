package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import io.osmhub.core.userdata.UserDataSize;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Findings of the linter about whole files, and how it continues after a mistake. */
final class LinterTest {
    private static final String HEAD = """
        apiVersion: operatingsystemmanager.k8c.io/v1alpha1
        kind: OperatingSystemProfile
        metadata:
          name: p
        spec:
          osName: ubuntu
          osVersion: "24.04"
          version: v1.0.0
          provisioningUtility: cloud-init
          supportedCloudProviders:
          - name: aws
          - name: gce
        """;

    private final Linter linter = new Linter(ScriptChecker.NONE, System::nanoTime);

    private static String profile(String config) {
        return HEAD + config.indent(2);
    }

    private static String file(String path, String text) {
        return "- path: " + path + "\n  content:\n    inline:\n      data: |\n" + text.indent(8);
    }

    private static String bootstrap(String... files) {
        return profile("bootstrapConfig:\n  files:\n" + String.join("", files).indent(2) + "provisioningConfig: {}\n");
    }

    private List<LintFinding> findings(String text) {
        List<ProfileLintReport> reports = linter.lint("p.yaml", text);
        assertThat(reports).hasSize(1);
        return reports.getFirst().findings();
    }

    private static String lineAt(String text, LintFinding finding) {
        return text.lines().toList().get(finding.position().line() - 1).strip();
    }

    @Test
    void findsWhatIsWrongInSeveralTemplatesAtOnce() {
        String text = bootstrap(
                file("/a", "{{ .Nothing }}\n"),
                file("/b", "{{ unknown }}\n"),
                file("/c", "fine\n"),
                file("/d", "{{ .KubeVersionn }}\n"),
                file("/e", "{{ fail \"no\" }}\n"));

        List<LintFinding> findings = findings(text);

        assertThat(findings)
                .extracting(finding -> finding.rule() + " " + lineAt(text, finding))
                .containsExactly(
                        "template-execution {{ .Nothing }}",
                        "template-syntax {{ unknown }}",
                        "template-execution {{ .KubeVersionn }}",
                        "template-execution {{ fail \"no\" }}");
        assertThat(findings.get(2).cure()).isEqualTo("did you mean KubeVersion?");
    }

    @Test
    void notesAnOperatingSystemThatMachineControllerDoesNotAccept() {
        String accepted = HEAD.replace("spec:", "  annotations: {osmhub.io/template-engine: handlebars}\nspec:")
                + "  bootstrapConfig: {}\n  provisioningConfig: {}\n";
        String debian = accepted.replace("osName: ubuntu", "osName: debian");

        List<LintFinding> findings = findings(debian);

        assertThat(findings(accepted)).isEmpty();
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).hasToString("machine-controller");
            assertThat(finding.severity()).isEqualTo(LintSeverity.INFO);
            assertThat(lineAt(debian, finding)).isEqualTo("osName: debian");
            assertThat(finding.what()).isEqualTo("machine-controller does not accept debian and creates no machines");
            assertThat(finding.cure())
                    .isEqualTo("create the machines with another controller, or use one of ubuntu, amzn2, rockylinux,"
                            + " flatcar, rhel");
        });
    }

    @Test
    void reportsTheSameFindingOnceWithAnExampleAndACount() {
        String text = bootstrap(
                file("/a", "{{ if eq (toString .CloudProviderName) \"gce\" }}{{ .Nothing }}{{ end }}\n"),
                file("/b.yaml", "{{ if semverCompare \">=1.34-0\" .KubeVersion }}a: [{{ end }}\n"));

        List<LintFinding> findings = findings(text);

        assertThat(findings).hasSize(2);
        assertThat(findings.getFirst().evidence())
                .isEqualTo(new LintFinding.Evidence("gce, Kubernetes 1.31, nothing set", 28, 0, ""));
        assertThat(findings.getLast().evidence())
                .isEqualTo(new LintFinding.Evidence("aws, Kubernetes 1.34, nothing set", 32, 1, "a: ["));
    }

    @Test
    void goesOnAfterAFieldThatNobodyKnows() {
        String text = bootstrap(file("relative", "x\n")).replace("osVersion:", "osVersionn:");

        assertThat(findings(text))
                .extracting(LintFinding::rule, LintFinding::field)
                .extracting(Object::toString)
                .contains("(schema, \"spec.osVersionn\")", "(schema, \"spec.osVersion\")");
    }

    @Test
    void goesOnAfterFieldsOfTheWrongType() {
        String text = bootstrap(file("/a", "{{ .Nothing }}\n"), file("relative", "x\n"))
                .replace("- path: /a", "- permissions: rw\n      path: /a")
                .replace("metadata:", "metadata:\n  labels: 5");

        assertThat(findings(text))
                .extracting(LintFinding::rule)
                .contains(LintRule.SCHEMA, LintRule.TEMPLATE_EXECUTION, LintRule.FILE_PATH);
    }

    @Test
    void reportsEachProfileOfAFile() {
        String other = bootstrap(file("relative", "x\n")).replace("name: p", "name: q");
        String text = bootstrap(file("/a", "x\n")) + "---\nkind: ConfigMap\n---\n" + other;

        List<ProfileLintReport> reports = linter.lint("p.yaml", text);

        assertThat(reports).extracting(ProfileLintReport::profile).containsExactly("p", "q");
        assertThat(reports.getFirst().findings()).isEmpty();
        assertThat(reports.getLast().findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo(LintRule.FILE_PATH);
            assertThat(lineAt(text, finding)).isEqualTo("- path: relative");
        });
    }

    @Test
    void readsTheListThatKubectlPrints() {
        String item = bootstrap(file("relative", "x\n"));
        String text = "apiVersion: v1\nkind: List\nitems:\n- " + item.indent(2).substring(2);

        List<ProfileLintReport> reports = linter.lint("list.yaml", text);

        assertThat(reports).singleElement().satisfies(report -> {
            assertThat(report.profile()).isEqualTo("p");
            assertThat(report.findings()).extracting(LintFinding::rule).containsExactly(LintRule.FILE_PATH);
        });
    }

    @Test
    void saysNothingOfOtherObjects() {
        assertThat(linter.lint("x.yaml", "kind: ConfigMap\napiVersion: v1\n")).isEmpty();
        assertThat(linter.lint("x.yaml", "")).isEmpty();
    }

    @Test
    void mapsARenderedLineToItsLineInASnippet() {
        String text = profile("""
            bootstrapConfig:
              templates:
                gates: |
                  featureGates:
                  {{- range $name, $on := .KubeletFeatureGates }}
                   {{ $name }}: {{ $on }}
                  {{- end }}
                    wrong: indentation
              files:
              - path: /etc/kubelet.yaml
                content:
                  inline:
                    data: |
                      kind: KubeletConfiguration

                      {{- template "gates" }}
            provisioningConfig: {}
            """);

        assertThat(findings(text)).isNotEmpty().allSatisfy(finding -> {
            assertThat(finding.rule()).isEqualTo(LintRule.FILE_CONTENT);
            assertThat(finding.field()).isEqualTo("spec.bootstrapConfig.templates[gates]");
            assertThat(lineAt(text, finding)).isIn("wrong: indentation", "{{ $name }}: {{ $on }}");
        });
    }

    @Test
    void findsDownloadsThatBelieveAnybody() {
        String text = bootstrap(file("/a.sh", """
            #!/bin/bash
            curl -fsSkL https://x.example/a
            wget --no-check-certificate -O /x https://x.example/b
            curl -fsSL https://x.example/c
            wget -O /y https://x.example/d
            """));

        assertThat(findings(text))
                .filteredOn(finding -> finding.rule() == LintRule.UNVERIFIED_DOWNLOAD)
                .extracting(finding -> lineAt(text, finding))
                .containsExactly(
                        "curl -fsSkL https://x.example/a", "wget --no-check-certificate -O /x https://x.example/b");
    }

    @Test
    void namesTheColumnOfTheFileWhereTextWasNotChangedBefore() {
        String text = bootstrap(file("/a.json", "{\"a\": 1,\n \"b\": x}\n"));

        LintFinding finding = findings(text).getFirst();

        assertThat(lineAt(text, finding)).isEqualTo("\"b\": x}");
        assertThat(finding.position().column()).isEqualTo(finding.inContent().column() + 12);
    }

    @Test
    void pointsAtTheTextWhenItIsNoBlock() {
        String text = profile("""
            bootstrapConfig:
              files:
              - path: /a
                content: {inline: {data: "a\\n{{ .B }}"}}
            provisioningConfig: {}
            """);

        LintFinding finding = findings(text).getFirst();

        assertThat(finding.inContent()).isEqualTo(new SourcePosition(2, 4));
        assertThat(lineAt(text, finding)).startsWith("content: {inline");
    }

    @Test
    void findsWhatDiffersBetweenTwoRenderingsWithoutAFunctionThatIsKnownForIt() {
        String text = bootstrap(file("/a", "one\n{{ date \"15:04\" \"\" }}\n"));

        assertThat(findings(text)).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo(LintRule.TEMPLATE_NOT_REPEATABLE);
            assertThat(lineAt(text, finding)).startsWith("{{ date");
        });
    }

    @Test
    void takesNoWordOfATextOrFieldForAFunction() {
        String text = bootstrap(
                file("/a", "now {{ \"now env\" }} {{/* now */}} {{ $now := 1 }}{{ $now }} {{ `randInt` }}\n"));

        assertThat(findings(text)).isEmpty();
    }

    @Test
    void checksHandlebarsProfiles() {
        String text = bootstrap(
                        file("/a", "{{ kubeVersion }}\n"),
                        file("/b.yaml", "a: 1\n{{#if HTTPProxy}}\nb: [{{HTTPProxy}}\n{{/if}}\nc: {{KubeVersion}}\n"),
                        file("/c", "{{#if HTTPProxy}}\n"),
                        file("/d", "{{ unknown KubeVersion }}\n"))
                .replace("spec:", "  annotations: {osmhub.io/template-engine: handlebars}\nspec:");

        List<LintFinding> findings = findings(text);

        assertThat(findings)
                .extracting(finding -> finding.rule() + " " + lineAt(text, finding))
                .contains("file-content c: {{KubeVersion}}", "template-syntax {{ unknown KubeVersion }}")
                .anyMatch(found -> found.startsWith("template-execution {{ kubeVersion"))
                .anyMatch(found -> found.startsWith("template-syntax {{#if HTTPProxy}}"));
    }

    @Test
    void rendersOnlyVersionsThatTheProfileSupports() {
        String text = bootstrap(file("/a", "x\n"))
                .replace("spec:", "  annotations: {osmhub.io/supported-kubernetes-versions: \">=1.34.0\"}\nspec:");

        ProfileLintReport report = linter.lint("p.yaml", text).getFirst();

        assertThat(report.matrix().toString()).isEqualTo("32 renderings (ubuntu x aws, gce x 1.34 to 1.37)");
        assertThat(report.findings()).isEmpty();
    }

    @Test
    void rendersOnlyWhatWasChosen() {
        String text = bootstrap(file("/a", "{{ if eq .CloudProviderName \"gce\" }}{{ .Nothing }}{{ end }}\n"));

        ProfileLintReport one = linter.lint("p.yaml", text, MatrixFilter.of(List.of("aws", "1.31", "ubuntu")))
                .getFirst();
        ProfileLintReport other =
                linter.lint("p.yaml", text, MatrixFilter.of(List.of("gce"))).getFirst();
        ProfileLintReport none =
                linter.lint("p.yaml", text, MatrixFilter.of(List.of("flatcar"))).getFirst();

        assertThat(one.matrix()).hasToString("4 renderings (ubuntu x aws x 1.31)");
        assertThat(one.findings()).isEmpty();
        assertThat(other.findings()).extracting(LintFinding::rule).containsExactly(LintRule.TEMPLATE_EXECUTION);
        assertThat(none.matrix()).isEqualTo(ProfileLintReport.Matrix.NONE);
        assertThat(none.findings()).isEmpty();
    }

    @Test
    void aChoiceOfWhatIsNotThereIsRefusedWithACure() {
        assertThatThrownBy(() -> MatrixFilter.of(List.of("ubunto")))
                .hasMessageContaining("\"ubunto\" is not an operating system")
                .hasMessageEndingWith("did you mean ubuntu?");
        assertThatThrownBy(() -> MatrixFilter.of(List.of("1.29")))
                .hasMessage("\"1.29\" is not a rendered minor version; write one of 1.31 to 1.37");
    }

    @Test
    void warnsOfAConstraintThatNoTestedVersionMeets() {
        String text = bootstrap(file("/a", "x\n"))
                .replace("spec:", "  annotations: {osmhub.io/supported-kubernetes-versions: \"<1.20.0\"}\nspec:");

        assertThat(findings(text)).extracting(LintFinding::rule).containsExactly(LintRule.KUBERNETES_VERSIONS);
    }

    @Test
    void endsWhenItTakesTooLong() {
        long[] clock = {0};
        Linter slow = new Linter(ScriptChecker.NONE, () -> clock[0] += 1_000_000_000L);

        ProfileLintReport report =
                slow.lint("p.yaml", bootstrap(file("/a", "x\n"))).getFirst();

        assertThat(report.findings()).extracting(LintFinding::rule).containsExactly(LintRule.MATRIX_CUT);
        assertThat(report.matrix().renderings()).isBetween(1, 47);
    }

    @Test
    void warnsOfADocumentThatNearlyFillsTheLimit() {
        String text = bootstrap(file("/a", UserDataSize.standIn(20_000).reveal() + "\n"));

        assertThat(findings(text)).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo(LintRule.USER_DATA_SIZE);
            assertThat(finding.severity()).isEqualTo(LintSeverity.WARNING);
            assertThat(finding.what()).contains(" B after gzip, aws accepts 16,384 B", "/a");
        });
    }

    @Test
    void neverThrowsForTextThatIsNoProfile() {
        for (String text :
                List.of("[", "- a", "a", "kind: OperatingSystemProfile", HEAD, "\u0000", "{}", "a: &a [*a]")) {
            assertThat(linter.lint("x.yaml", text)).as(text).allSatisfy(report -> assertThat(report.findings())
                    .isNotEmpty());
        }
    }
}

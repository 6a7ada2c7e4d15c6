package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import io.osmhub.core.problem.SourcePosition;
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
    void findsARefusedFunctionThatNoRenderingWouldReach() {
        String text = bootstrap(file("/a", "one\n{{ if false }}{{ now }}{{ end }}\n"));

        assertThat(findings(text)).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo(LintRule.FUNCTION_REFUSED);
            assertThat(finding.what()).startsWith("function \"now\" is not supported: ");
            assertThat(lineAt(text, finding)).startsWith("{{ if false }}");
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
                .contains("file-content data: |", "template-syntax {{ unknown KubeVersion }}")
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
                .hasMessage(
                        "\"1.29\" is not an operating system, cloud provider or Kubernetes minor version from 1.31 to 1.37; write for example ubuntu,aws,1.34");
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

    private static String flatcar(String utility, String configs) {
        return HEAD.replace("osName: ubuntu", "osName: flatcar").replace("provisioningUtility: cloud-init", utility)
                + configs.indent(2);
    }

    @Test
    void aFileAndAUnitOfOnePathAreAnErrorWithIgnitionOnly() {
        String text = """
                bootstrapConfig: {}
                provisioningConfig:
                  units:
                  - {name: a.service, content: "[Unit]\\nDescription=a\\n"}
                  - name: b.service
                    dropIns: [{name: 10-b.conf, content: "[Service]\\nNice=1\\n"}]
                  - {name: c.service, enable: true}
                  files:
                  - {path: /etc/systemd/system/a.service, permissions: 644, content: {inline: {data: "[Unit]\\n"}}}
                  - {path: /etc/systemd/system/b.service, permissions: 644, content: {inline: {data: "[Unit]\\n"}}}
                  - {path: /etc/systemd/system/c.service, permissions: 644, content: {inline: {data: "[Unit]\\n"}}}
                  supportedContainerRuntimes:
                  - name: containerd
                    files:
                    - path: /etc/systemd/system/b.service.d/10-b.conf
                      content: {inline: {data: "[Service]\\n"}}
                """;

        assertThat(findings(flatcar("provisioningUtility: ignition", text)))
                .filteredOn(finding -> finding.rule() == LintRule.DUPLICATE_PATH)
                .allMatch(finding -> finding.severity() == LintSeverity.ERROR)
                .extracting(LintFinding::field)
                .containsExactly(
                        "spec.provisioningConfig.files[0] (/etc/systemd/system/a.service)",
                        "spec.provisioningConfig.supportedContainerRuntimes[0].files[0]"
                                + " (/etc/systemd/system/b.service.d/10-b.conf)");
        assertThat(findings(flatcar("provisioningUtility: ignition", text)))
                .extracting(LintFinding::rule)
                .doesNotContain(LintRule.USER_DATA);
        assertThat(findings(flatcar("provisioningUtility: cloud-init", text)))
                .filteredOn(finding -> finding.rule() == LintRule.DUPLICATE_PATH)
                .hasSize(2)
                .allMatch(finding -> finding.severity() == LintSeverity.WARNING);
    }

    @Test
    void reportsModesInTheWrongNumberBase() {
        String files = "";
        for (String mode : List.of("0644", "0o600", "420", "256", "493", "511", "644", "0", "999")) {
            files += "- {path: /m" + mode + ", permissions: " + mode + ", content: {inline: {data: x}}}\n";
        }
        String text = profile("bootstrapConfig:\n  files:\n" + files.indent(2) + "provisioningConfig: {}\n");

        assertThat(findings(text))
                .extracting(finding -> finding.severity().wireName() + " " + finding.what() + "; " + finding.cure())
                .containsExactly(
                        "error 0644 is read as 420, mode 0420; write 644",
                        "error 0o600 is read as 384; write 600",
                        "warning 420 means mode 0420, but is probably the decimal number of mode 0644; write 644 for that",
                        "warning 256 means mode 0256, but is probably the decimal number of mode 0400; write 400 for that",
                        "error 493 is not a file mode; write 755 for mode 0755",
                        "error 999 is not a file mode; write three octal digits without a leading zero, for example 644");
    }

    @Test
    void reportsCrLfWhereTheMachineGetsIt() {
        String script = "\"#!%s\\r\\necho a\\r\\n\"";
        String text = profile("""
                bootstrapConfig:
                  files:
                  - {path: /encoded, content: {inline: {encoding: b64, data: %s}}}
                  - {path: /python, content: {inline: {encoding: b64, data: %s}}}
                  - {path: /plain, content: {inline: {data: %s}}}
                  - {path: /quoted, content: {inline: {data: "#!/bin/sh\\r\\n\\u0007\\r\\n"}}}
                  - {path: /later.sh, content: {inline: {encoding: b64, data: "#!/bin/sh\\na\\r\\n"}}}
                  - {path: /notes, content: {inline: {encoding: b64, data: "a\\r\\n"}}}
                  modules: {runcmd: ["echo a\\r\\necho b"]}
                provisioningConfig: {}
                """.formatted(
                script.formatted("/bin/bash"), script.formatted("/usr/bin/env python3"), script.formatted("/bin/sh")));

        assertThat(findings(text))
                .filteredOn(finding -> finding.rule() == LintRule.SHELL_SYNTAX)
                .allMatch(finding -> finding.severity() == LintSeverity.ERROR)
                .extracting(finding -> finding.field() + ": " + finding.what())
                .containsExactly(
                        "spec.bootstrapConfig.files[0] (/encoded): line ends are CR LF, so the interpreter is not found",
                        "spec.bootstrapConfig.files[1] (/python): line ends are CR LF, so the interpreter is not found",
                        "spec.bootstrapConfig.files[3] (/quoted): line ends are CR LF, so the interpreter is not found",
                        "spec.bootstrapConfig.files[4] (/later.sh): line ends are CR LF, and the shell reads CR as part of"
                                + " a word",
                        "spec.bootstrapConfig.modules.runcmd[0]: line ends are CR LF, and the shell reads CR as part of a"
                                + " word");
    }

    @Test
    void warnsOfABootstrapThatNamesOnlyAnotherSecret() {
        String configs = """
                bootstrapConfig:
                  files:
                  - {path: /b, content: {inline: {data: "{{/* .SecretName */}}{{ .%s }}"}}}
                provisioningConfig: {files: [{path: /p, content: {inline: {data: x}}}]}
                """;

        assertThat(findings(profile(configs.formatted("BootstrapKubeconfigSecretName"))))
                .extracting(LintFinding::rule)
                .containsExactly(LintRule.NEVER_FETCHED);
        assertThat(findings(profile(configs.formatted("SecretName")))).isEmpty();
        assertThat(findings(profile("bootstrapConfig: {}\nprovisioningConfig: {}\n")))
                .isEmpty();
    }

    @Test
    void reportsTheMissingFieldsOfAPartialProfileTogetherAndStillChecksWhatIsThere() {
        String text = """
                apiVersion: operatingsystemmanager.k8c.io/v1alpha1
                kind: CustomOperatingSystemProfile
                metadata: {name: part}
                spec:
                  provisioningConfig:
                    files: [{path: relative, content: {inline: {data: "{{ .Nothing"}}}]
                """;

        assertThat(findings(text))
                .extracting(LintFinding::rule)
                .containsExactlyInAnyOrder(LintRule.SCHEMA, LintRule.FILE_PATH, LintRule.TEMPLATE_SYNTAX);
        assertThat(findings(HEAD)).singleElement().satisfies(finding -> assertThat(finding.what())
                .contains("lacks bootstrapConfig, provisioningConfig"));
    }

    @Test
    void reportsOptionsThatAreGoneInUnitsCommandsAndFilesForTheVersionsThatLackThem() {
        String text = flatcar("provisioningUtility: ignition", """
                bootstrapConfig:
                  units:
                  - {name: kubelet.service, content: "[Service]\\nExecStart=kubelet --pod-infra-container-image=x\\n"}
                  files:
                  - path: /etc/default/kubelet
                    content: {inline: {data: "A=--pod-infra-container-image={{ .KubeVersion }}\\n"}}
                  - path: /etc/systemd/system/kubelet.service.d/9.conf
                    content:
                      inline:
                        data: "{{ if semverCompare `<1.35.0-0` .KubeVersion }}[Service]\\nEnvironment=B=--pod-infra-container-image=x\\n{{ end }}"
                provisioningConfig: {}
                """);

        assertThat(findings(text))
                .filteredOn(finding -> finding.rule() == LintRule.REMOVED_OPTION)
                .extracting(LintFinding::field)
                .containsExactly(
                        "spec.bootstrapConfig.units[0] (kubelet.service)",
                        "spec.bootstrapConfig.files[0] (/etc/default/kubelet)");
        assertThat(findings(text.replace(
                        "spec:", "  annotations: {osmhub.io/supported-kubernetes-versions: \"<1.35.0-0\"}\nspec:")))
                .extracting(LintFinding::rule)
                .doesNotContain(LintRule.REMOVED_OPTION);
    }
}

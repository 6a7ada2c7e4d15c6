package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No error message of {@code hub render} contains a credential. */
final class RenderSecretsTest {
    private static final String SECRET = "hush4711";
    private static final String BASE64 = "aHVzaDQ3MTE";

    @TempDir
    private Path directory;

    private CommandRun render(String profile, String machineDeployment, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "render",
                "--osp",
                write("osp.yaml", profile),
                "-m",
                write("md.yaml", machineDeployment),
                "--fetch-token-file",
                write("ft", SECRET),
                "--bootstrap-token-file",
                write("bt", "abcdef." + SECRET),
                "--out",
                directory.resolve("out").toString()));
        arguments.addAll(List.of(more));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private void assertRefusedSilently(CommandRun run) {
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("hub: ").doesNotContain(SECRET, BASE64, "hush", "\tat ", "Exception");
        assertThat(directory.resolve("out")).doesNotExist();
    }

    private static String profileWith(String template) {
        String text = DocumentationExamples.text("osp.yaml");
        String line = "version={{ .KubeVersion }}";
        assertThat(text).contains(line);
        return text.replace(line, template);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ fail .Token }}",
                "{{ fail (b64enc .Token) }}",
                "{{ fail (trunc 4 .Token) }}",
                "{{ mustToDate \"2006-01-02\" .Token }}",
                "{{ required .Token \"\" }}",
                "{{ .BootstrapKubeconfig | fromYaml | toString | fail }}",
                "{{ mustRegexMatch .Token \"[\" }}{{ mustRegexFind (printf \"[%s\" .Token) \"x\" }}",
                "{{ index (list 1) .Token }}",
                "{{ (semver .Token).Major }}",
                "{{ include .Token . }}{{ template \"x\" }}",
                "{{ $x := .Token }}{{ range $i, $c := until 3 }}{{ fail $x }}{{ end }}",
            })
    void aFailingTemplateDoesNotTellWhatItRead(String template) throws IOException {
        assertRefusedSilently(render(profileWith(template), DocumentationExamples.text("machinedeployment.yaml")));
    }

    @Test
    void aSnippetThatDoesNotParseOnceItIsRenderedDoesNotTellWhatItHolds() throws IOException {
        CommandRun run = render(
                profileWith("{{ template \"leak\" . }}")
                        .replace(
                                "  provisioningConfig:\n",
                                "  provisioningConfig:\n    templates:\n      leak: '{{ \"{{\" }} {{ .Token }} {{ \"}}\" }}'\n"),
                DocumentationExamples.text("machinedeployment.yaml"));

        assertRefusedSilently(run);
    }

    @Test
    void aFailureThatOnlyTheCredentialCausesIsToldWithoutItsText() throws IOException {
        CommandRun run = render(
                profileWith("{{ if hasPrefix \"hush\" .Token }}{{ fail .Token }}{{ end }}"),
                DocumentationExamples.text("machinedeployment.yaml"));

        assertRefusedSilently(run);
        assertThat(run.err()).contains("(/opt/bin/setup) line 3:", "fails with credentials, but not with placeholders");
    }

    @Test
    void registryCredentialsThatDoNotParseAreNotQuoted() throws IOException {
        String settings = write("s.yaml", "provisioning:\n  registries:\n    credentialsSecretRef: {name: reg}\n");
        String objects = write("o.yaml", """
                kind: Secret
                metadata: {name: reg, namespace: kube-system}
                type: kubernetes.io/dockerconfigjson
                stringData:
                  .dockerconfigjson: '{"auths": {"a.example.org": {"password": ["hush4711"]}, hush4711'
                ---
                kind: Secret
                metadata: {name: broken}
                data:
                  token: "hush4711 is not valid base64 §"
                """);

        CommandRun run = render(
                DocumentationExamples.text("osp.yaml"),
                DocumentationExamples.text("machinedeployment.yaml"),
                "--settings",
                settings,
                "--objects",
                objects);

        assertRefusedSilently(run);
        assertThat(run.err()).contains("Secret kube-system/reg").contains("o.yaml:");
    }

    @Test
    void aBrokenClusterInfoIsNotQuoted() throws IOException {
        CommandRun run = render(
                DocumentationExamples.text("osp.yaml"),
                DocumentationExamples.text("machinedeployment.yaml").replace("1.34.2", "x"),
                "--cluster-info",
                write("ci", "users: [" + SECRET));

        assertRefusedSilently(run);
    }
}

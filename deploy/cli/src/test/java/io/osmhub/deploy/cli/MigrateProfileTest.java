package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub migrate profile} with copies of OSM's profile. */
final class MigrateProfileTest {
    private static final Path BASE =
            Path.of(System.getProperty("osmhub.shared", "../../../shared"), "fixtures/osm/osps/osp-ubuntu.yaml");

    @TempDir
    private Path directory;

    private CommandRun convert(String text, String replacement) throws IOException {
        String base = Files.readString(BASE);
        assertThat(base.split(java.util.regex.Pattern.quote(text), -1)).hasSize(2);
        String copy = base.replace("name: osp-ubuntu\n", "name: site-ubuntu\n").replace(text, replacement);
        Path file = Files.writeString(directory.resolve("copy.yaml"), copy);
        return CommandRun.of("migrate", "profile", file.toString(), "--base", BASE.toString());
    }

    private static void assertEqual(CommandRun run, String summary) {
        assertThat(run.exitCode()).as(run.err() + run.out()).isZero();
        assertThat(run.err())
                .contains("a copy of osp-ubuntu v")
                .contains(summary)
                .containsPattern("equal in ([1-9]\\d*) of \\1 renderings");
        assertThat(run.out())
                .contains("name: site-ubuntu", "namespace: kube-system")
                .contains("policy: Optional")
                .contains("- osp-ubuntu");
    }

    @Test
    void addsAFile() throws IOException {
        String next = "      - path: /etc/default/grub.d/60-swap-accounting.cfg\n";

        CommandRun run = convert(next, """
                      - path: /etc/site.conf
                        permissions: 640
                        content:
                          inline:
                            data: |
                              provider={{ .CloudProviderName }}
                """ + next);

        assertEqual(run, "with 1 change, 1 line");
        assertThat(run.out()).contains("operation: Add", "templateEngine: go").containsPattern("permissions: .0640");
    }

    @Test
    void aCopyWithoutANamespaceBecomesAnExtensionWithoutOne() throws IOException {
        convert("maxParallelImagePulls: 10\n", "maxParallelImagePulls: 3\n");
        Path file = directory.resolve("copy.yaml");
        Files.writeString(file, Files.readString(file).replace("  namespace: kube-system\n", ""));

        CommandRun run = CommandRun.of("migrate", "profile", file.toString(), "--base", BASE.toString());

        assertThat(run.out()).contains("name: site-ubuntu").doesNotContain("namespace:");
    }

    @Test
    void editsAScript() throws IOException {
        CommandRun run = convert("              swapoff -a\n", "              echo swap stays on\n");

        assertEqual(run, "with 1 change, 1 line");
        assertThat(run.out())
                .contains("operation: Edit", "find: swapoff -a", "replace: echo swap stays on")
                .doesNotContain("templateEngine", "optional");
    }

    @Test
    void editsAValueOfTheKubelet() throws IOException {
        CommandRun run = convert("maxParallelImagePulls: 10\n", "maxParallelImagePulls: 3\n");

        assertEqual(run, "with 1 change, 1 line");
        assertThat(run.out()).contains("operation: Edit", "replace: 'maxParallelImagePulls: 3'");
    }

    @Test
    void editsTextThatNotEveryRenderingHas() throws IOException {
        CommandRun run = convert("              systemctl enable --now qemu-guest-agent\n", "              true\n");

        assertEqual(run, "with 1 change, 1 line");
        assertThat(run.out()).contains("operation: Edit", "optional: true");
    }

    @Test
    void replacesAFileWhoseTemplateChanges() throws IOException {
        CommandRun run = convert(
                "{{- with .MaxPods }}\n              maxPods: {{ . }}",
                "{{- with .MaxPods }}\n              maxPods: 1{{ . }}");

        assertEqual(run, "with 1 change, 1 line");
        assertThat(run.out()).contains("operation: Replace", "baseSHA256: ");
    }

    @Test
    void namesWhatNoExtensionCanChange() throws IOException {
        CommandRun run = convert("    - name: \"edge\"\n", "");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("supportedCloudProviders differs: ").contains("equal in 0 of ");
    }

    @Test
    void refusesACopyThatCannotBeRendered() throws IOException {
        CommandRun run = convert("maxParallelImagePulls: 10\n", "maxParallelImagePulls: {{ .Missing.Field }}\n");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("kubelet.conf", "nothing was converted");
    }
}

package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub render} on the examples of the documentation, and on what people get wrong. */
final class RenderCommandTest {
    private static final String PROFILE = DocumentationExamples.text("osp.yaml");
    private static final String MACHINE_DEPLOYMENT = DocumentationExamples.text("machinedeployment.yaml");
    private static final String SETTINGS = DocumentationExamples.text("tenant.yaml");

    @TempDir
    private Path directory;

    private Path profile;
    private Path machineDeployment;
    private Path settings;
    private Path out;

    @BeforeEach
    void writeExamples() {
        profile = write("osp.yaml", PROFILE);
        machineDeployment = write("md.yaml", MACHINE_DEPLOYMENT);
        settings = write("tenant.yaml", SETTINGS);
        out = directory.resolve("out");
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void settingsThatTheApiServerWouldRefuseAreRefused() {
        Path refused = write("refused.yaml", """
                paused: 3
                deletionPolicy: Foo
                provisioning:
                  downloads: {kubernetes: "ftp://x"}
                  containerRuntime: {pauseImage: "a b"}
                  proxy:
                    httpProxy: "http://u:SECRETPW@p:1"
                """);

        CommandRun run = render("--settings", refused.toString(), "--out", out.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err())
                .contains("refused.yaml:1:", "paused", "deletionPolicy", "provisioning.downloads.kubernetes")
                .contains("provisioning.containerRuntime.pauseImage", "refused.yaml:7:", "provisioning.proxy.httpProxy")
                .doesNotContain("SECRETPW");
        assertThat(out).doesNotExist();
    }

    @Test
    void aCertificateAuthorityThatIsNoneIsRefused() {
        Path ca = write("ca.pem", "SECRETPEM");

        CommandRun run = render("--kubernetes-ca", ca.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).contains("ca.pem", "holds no valid certificate").doesNotContain("SECRETPEM");
    }

    @Test
    void anEmptyDirectoryNameIsNotTheWorkingDirectory() {
        CommandRun run = render("--out", "");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).contains("--out: expected a directory");
    }

    private CommandRun render(String... more) {
        return renderWithInput("", more);
    }

    private CommandRun renderWithInput(String input, String... more) {
        List<String> arguments = new ArrayList<>(List.of("render"));
        if (!Arrays.asList(more).contains("--osp")) {
            arguments.addAll(List.of("--osp", profile.toString()));
        }
        if (!Arrays.asList(more).contains("-m")) {
            arguments.addAll(List.of("-m", machineDeployment.toString()));
        }
        arguments.addAll(List.of(more));
        return CommandRun.withInput(input, arguments.toArray(String[]::new));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(out)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void writesAllFilesOfTheExamples() throws IOException {
        CommandRun run = render("--settings", settings.toString(), "--out", out.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(files())
                .containsExactly(
                        "bootstrap-secret.yaml",
                        "bootstrap.txt",
                        "kubelet-bootstrap-secret.yaml",
                        "kubelet-bootstrap.txt",
                        "osc.yaml",
                        "provisioning-secret.yaml",
                        "provisioning.txt");
        assertThat(run.out()).contains("bootstrap.txt ", " B  ", " B after gzip, ", " % of 16,384 B (aws)");
        assertThat(run.err())
                .contains(
                        "7 files from osp-example v1.0.0 for kube-system/workers, ",
                        "; 2 placeholders for credentials");
        assertThat(Files.readString(out.resolve("provisioning.txt")))
                .startsWith("#cloud-config\n")
                .contains("10.240.16.10", "registry.k8s.io/pause:3.10");
        assertThat(Files.readString(out.resolve("kubelet-bootstrap.txt")))
                .contains("https://api.shop.example.org:6443", "<redacted:bootstrap-token>");
    }

    @Test
    void letsOnlyTheOwnerReadWhatMayHoldCredentials() throws IOException {
        render("--out", out.toString());

        for (String file : files()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(out.resolve(file))))
                    .as(file)
                    .isEqualTo(file.equals("osc.yaml") ? "rw-r--r--" : "rw-------");
        }
    }

    @Test
    void replacesTheFilesOfAnEarlierRun() throws IOException {
        Files.createDirectories(out);
        Files.writeString(out.resolve("osc.yaml"), "old");

        render("--out", out.toString(), "--only", "osc");

        assertThat(Files.readString(out.resolve("osc.yaml"))).startsWith("apiVersion: ");
        assertThat(files()).containsExactly("osc.yaml");
    }

    @Test
    void printsEverythingAsYamlThatKubectlTakes() {
        CommandRun run = render();

        List<SourceDocument> objects = SourceDocument.readAll("out", run.out(), Reason.SettingsInvalid);
        assertThat(objects)
                .extracting(object -> object.text("kind") + " " + object.text("metadata.name"))
                .containsExactly(
                        "OperatingSystemConfig workers-kube-system-config",
                        "Secret kube-system-workers-kubelet-bootstrap-config",
                        "Secret workers-kube-system-provisioning-config",
                        "Secret workers-kube-system-bootstrap-config");
        assertThat(objects.getLast().text("stringData.cloud-config"))
                .isEqualTo(render("--only", "bootstrap").out());
    }

    @Test
    void saysWhatStandsForWhatWasNotGiven() {
        CommandRun run = render("--only", "kubelet-bootstrap");

        assertThat(run.out()).contains("https://api.example.invalid:6443", "<redacted:bootstrap-token>");
        assertThat(run.err().lines())
                .anyMatch(line ->
                        line.startsWith("note: https://api.example.invalid:6443 is a placeholder for the API server"))
                .anyMatch(line -> line.contains("use --bootstrap-token-file"))
                .anyMatch(line -> line.contains("use --fetch-token-file"))
                .anyMatch(line -> line.contains("use --cluster-info or --kubernetes-ca"));
    }

    @Test
    void takesTokensFromFiles() {
        Path bootstrap = write("bt", "abcdef.0123456789abcdef\n");
        Path fetch = write("ft", "fetch-me\n");

        CommandRun kubelet = render("--only", "kubelet-bootstrap", "--bootstrap-token-file", bootstrap.toString());
        CommandRun stored = render(
                "--only",
                "osc",
                "--bootstrap-token-file",
                bootstrap.toString(),
                "--fetch-token-file",
                fetch.toString());

        assertThat(kubelet.out()).contains("token: abcdef.0123456789abcdef");
        assertThat(stored.out()).doesNotContain("abcdef.0123456789abcdef", "fetch-me");
    }

    @Test
    void picksDocumentsByKindFromOneInput() {
        String everything = "# a dump\n---\n" + SETTINGS.replaceAll("(?m)^(.)", "#$1") + "---\n" + PROFILE + "---\n"
                + PROFILE.replace("osp-example", "osp-other") + "---\n" + MACHINE_DEPLOYMENT;

        CommandRun run = renderWithInput(everything, "--osp", "-", "-m", "-", "--only", "bootstrap");

        assertThat(run.out()).isEqualTo(render("--only", "bootstrap").out()).isNotEmpty();
    }

    @Test
    void takesTheItemsOfAList() {
        String list = "kind: List\napiVersion: v1\nitems:\n- " + MACHINE_DEPLOYMENT.replace("\n", "\n  ");

        assertThat(renderWithInput(list, "-m", "-", "--only", "bootstrap").out())
                .isEqualTo(render("--only", "bootstrap").out());
    }

    @Test
    void asksWhichOfSeveralMachineDeployments() {
        Path two = write(
                "two.yaml", MACHINE_DEPLOYMENT + "---\n" + MACHINE_DEPLOYMENT.replace("name: workers", "name: gpu"));

        CommandRun unclear = render("-m", two.toString());
        CommandRun chosen = render("-m", two.toString(), "--name", "gpu", "--only", "osc");

        assertThat(unclear.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(unclear.err())
                .contains(
                        "contains 2 MachineDeployments; select one with --name: kube-system/workers, kube-system/gpu");
        assertThat(chosen.out()).contains("name: gpu-kube-system-config");
    }

    @Test
    void rendersWithTheOnlyProfileAndSaysSo() {
        Path other = write("other.yaml", PROFILE.replace("osp-example", "osp-new"));

        CommandRun run = render("--osp", other.toString(), "--only", "bootstrap");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("note: the MachineDeployment's profile is osp-example; rendered with osp-new");
    }

    @Test
    void takesSettingsFromAWorkerClusterAndItsNamespace() {
        Path workerCluster = write(
                "wc.yaml",
                "apiVersion: osmhub.io/v1alpha1\nkind: WorkerCluster\nmetadata:\n  name: shop\n  namespace: cluster-1\nspec:\n  "
                        + SETTINGS.replace("\n", "\n  "));

        CommandRun run = render("--settings", workerCluster.toString(), "--only", "osc");

        assertThat(run.err()).doesNotContain("mistake");
        assertThat(run.out()).contains("namespace: cluster-1", "10.240.16.10");
    }

    @Test
    void takesThePeersFlags() {
        CommandRun run = render(
                "--only",
                "provisioning",
                "--peer-flag",
                "cluster-dns=10.1.2.3",
                "--peer-flag",
                "-pause-image=example.org/pause:1");

        assertThat(run.out()).contains("10.1.2.3", "example.org/pause:1");
    }

    @Test
    void looksUpWhatTheSettingsReferTo() {
        Path withSecret =
                write("with-secret.yaml", "provisioning:\n  proxy:\n    httpProxySecretRef: {name: proxy, key: url}\n");
        Path objects = write(
                "objects.yaml",
                "kind: Secret\nmetadata: {name: proxy, namespace: kube-system}\nstringData: {url: 'http://u:hush@proxy:3128'}\n");

        CommandRun missing = render("--settings", withSecret.toString());
        CommandRun found = render("--settings", withSecret.toString(), "--objects", objects.toString());

        assertThat(missing.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(missing.err())
                .contains(
                        "with-secret.yaml:3:5",
                        "provisioning.proxy.httpProxySecretRef",
                        "no Secret proxy with key url",
                        "--objects");
        assertThat(found.exitCode()).isZero();
    }

    @Test
    void reportsAllMistakesOfAllFilesAtOnce() {
        Path badSettings = write("tenant.yaml", SETTINGS.replace("clusterDNS", "clusterDns"));
        Path badMachineDeployment =
                write("md.yaml", MACHINE_DEPLOYMENT.replace("1.34.2", "one.34").replace("\"120\"", "\"many\""));
        Path badProfile = write(
                "osp.yaml", PROFILE.replace("version={{ .KubeVersion }}", "version={{ .KubeVersion | toYamll }}"));
        int line = (int) PROFILE.substring(0, PROFILE.indexOf("version={{ .KubeVersion }}"))
                .lines()
                .count();

        CommandRun run = render(
                "--settings",
                badSettings.toString(),
                "--peer-flag",
                "clusterdns=1",
                "--objects",
                "nowhere.yaml",
                "--out",
                out.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.out()).isEmpty();
        assertThat(out).doesNotExist();
        assertThat(run.err().lines().toList()).hasSize(7).first().isEqualTo("hub: 6 errors, nothing was rendered");
        assertThat(run.err())
                .containsPattern("--peer-flag +-clusterdns +unknown tenant flag; did you mean cluster-dns\\?")
                .containsPattern("nowhere.yaml +file not found; check the path")
                .containsPattern(
                        badSettings + ":3:3 +provisioning.clusterDns +unknown field; did you mean \"clusterDNS\"\\?")
                .containsPattern(
                        badMachineDeployment + ":\\d+:\\d+ +annotation .*MaxPods +\"many\" is not a whole number")
                .containsPattern(badMachineDeployment
                        + ":21:9 +spec.template.spec.versions.kubelet +\"one.34\" is not a version")
                .containsPattern(badProfile + ":" + line
                        + ":\\d+ +spec.provisioningConfig.files\\[2\\] \\(/opt/bin/setup\\) line 3:\\d+ +"
                        + "function \"toYamll\" not defined; did you mean \"toYaml\"\\?");
    }

    @Test
    void checksTheMachineDeploymentAlsoWithoutAUsableProfile() {
        write("md.yaml", MACHINE_DEPLOYMENT.replace("1.34.2", "one.34"));
        write("osp.yaml", PROFILE.replace("osVersion", "osVersionn"));

        CommandRun run = render();

        assertThat(run.err()).contains("spec.osVersionn", "versions.kubelet").doesNotContain("not support");
    }

    @Test
    void namesTheFileThatWasGivenForTheOther() {
        CommandRun run = render("--osp", machineDeployment.toString(), "-m", profile.toString());

        assertThat(run.err())
                .contains("contains no OperatingSystemProfile, but MachineDeployment")
                .contains("contains no MachineDeployment, but OperatingSystemProfile");
    }

    @Test
    void pointsAtTheLineOfBrokenYaml() {
        CommandRun run = renderWithInput("kind: MachineDeployment\nmetadata: [\n", "-m", "-");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).contains("1 error, nothing was rendered").containsPattern("standard input:\\d+:\\d+ +");
    }

    @Test
    void refusesAnEdgeScriptForOtherMachines() {
        CommandRun run = render("--only", "edge-script");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).contains("hub: no edge-script for these machines; only cloud provider edge has one");
    }

    @Test
    void refusesAnOutputDirectoryThatIsAFile() {
        CommandRun run = render("--out", profile.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).startsWith("hub: cannot write to " + profile).doesNotContain("\tat ");
    }

    @Test
    void explainsAMissingOption() {
        CommandRun run = CommandRun.of("render", "--osp", "x");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err())
                .isEqualTo(
                        "hub: missing required option: '--machine-deployment=FILE'; hub render --help shows the usage\n");
    }

    @Test
    void helpHasAnExample() {
        assertThat(CommandRun.of("help", "render").out())
                .contains("hub render --osp docs/examples/osp.yaml", "--peer-flag", "Exit codes");
    }

    static String extension(String path, String content) {
        return """
                apiVersion: osmhub.io/v1alpha1
                kind: OperatingSystemProfileExtension
                metadata: {name: site, namespace: osm-profiles}
                spec:
                  target: {operatingSystems: [ubuntu]}
                  policy: Optional
                  provisioning:
                    files: [{path: %s, content: '%s'}]
                """.formatted(path, content);
    }

    @Test
    void extensionsThatSelectTheProfileAreApplied() {
        Path applied = write("applied.yaml", extension("/etc/site-file", "site"));
        Path other = write("other.yaml", extension("/etc/other-file", "other").replace("ubuntu", "flatcar"));

        CommandRun run = render("--extension", applied.toString(), "--extension", other.toString(), "--only", "osc");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("/etc/site-file", "v1.0.0+ext.").doesNotContain("/etc/other-file");
        assertThat(run.err())
                .contains(
                        "note: OperatingSystemProfileExtension osm-profiles/site is not applied, because its target does"
                                + " not include osp-example with provider ");
    }

    @Test
    void anExtensionThatConflictsIsRefused() {
        Path conflict = write("conflict.yaml", extension("/opt/bin/bootstrap", "x"));
        Path invalid = write("invalid.yaml", extension("/etc//x", "x"));

        CommandRun run = render("--extension", conflict.toString());
        CommandRun schema = render("--extension", invalid.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err())
                .contains("conflict.yaml:8", "spec.provisioning.files[0]", "/opt/bin/bootstrap is written by ");
        assertThat(schema.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(schema.err()).contains("invalid.yaml:8", "spec.provisioning.files[0].path");
    }
}

package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases in {@code field}: inputs that stopped real nodes. The README.md of each has the source and what is right. */
final class FieldCasesTest {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../.."));
    private static final Path CASES = ROOT.resolve("deploy/cli/src/test/resources/field");
    private static final Path PROFILES = ROOT.resolve("deploy/packaging/manifests/profiles");

    /** A check of the case in a folder. */
    private interface FieldCase {
        void check(FieldCasesTest test, Path folder);
    }

    /**
     * By name of the folder. 07 is checked by {@code NodeAddressTest}, all eight profiles with each address family. 37 is a recipe for
     * a running hub, whose behaviours have tests of their own.
     */
    private static final Map<String, FieldCase> CHECKS = Map.ofEntries(
            entry("01-kubelet-annotation-on-template", FieldCasesTest::kubeletSettingsOnTheTemplate),
            entry("02-gc-age-breaks-kubelet-conf", FieldCasesTest::unreadableKubeletConfiguration),
            entry("03-kubelet-annotation-typos", FieldCasesTest::kubeletSettingsWithMistakes),
            entry("04-flatcar-file-and-unit-same-path", FieldCasesTest::fileAndUnitOfOnePath),
            entry("05-kubelet-flags-removed", FieldCasesTest::removedFlags),
            entry("07-dual-stack-ipv6-comes-late", FieldCasesTest::waitsForEachAddress),
            entry("08-mode-with-leading-zero", FieldCasesTest::modes),
            entry("09-crlf-scripts", FieldCasesTest::lineEnds),
            entry("10-custom-osp-kind", FieldCasesTest::customProfile),
            entry("11-cloud-init-file-option-order", FieldCasesTest::cloudInitOptionOrder),
            entry("13-bootstrap-never-fetches", FieldCasesTest::neverFetched),
            entry("15-default-profiles-lost-fixes", FieldCasesTest::defaultProfile),
            entry("16-partial-profile", FieldCasesTest::partialProfile),
            entry("30-harbor-override-path", FieldCasesTest::overridePath),
            entry("31-proxy-everywhere", FieldCasesTest::proxy),
            entry("32-command-quoting", FieldCasesTest::commandQuoting),
            entry("33-cloud-init-jinja-in-content", FieldCasesTest::foreignBraces),
            entry("35-real-world-fields", FieldCasesTest::realWorldFields),
            entry("36-static-network", FieldCasesTest::staticNetwork),
            entry("37-live-behaviour", (test, folder) -> {}),
            entry("38-sub-path-registries", FieldCasesTest::subPathRegistries));

    @TempDir
    Path out;

    static List<String> names() {
        try (Stream<Path> folders = Files.list(CASES)) {
            return folders.map(folder -> String.valueOf(folder.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyFolderHasACheck() {
        assertThat(names()).containsExactlyInAnyOrderElementsOf(CHECKS.keySet());
    }

    @ParameterizedTest
    @MethodSource("names")
    void isRight(String name) {
        CHECKS.getOrDefault(name, (test, folder) -> {}).check(this, CASES.resolve(name));
    }

    private static List<String> notes(Path folder) {
        CommandRun render = render(folder.resolve("osp.yaml"), folder, "--only", "provisioning");
        assertThat(render.exitCode()).as(render.err()).isZero();
        return render.err()
                .lines()
                .filter(line -> line.startsWith("note: MachineDeployment kube-system/workers, "))
                .toList();
    }

    private static void kubeletSettingsOnTheTemplate(FieldCasesTest test, Path folder) {
        assertThat(notes(folder))
                .hasSize(2)
                .allMatch(note -> note.endsWith("move it to metadata.annotations of the MachineDeployment"))
                .anyMatch(note -> note.contains("kubermatic.io/MaxPods: has no effect below spec.template; "))
                .anyMatch(note -> note.contains("kubermatic.io/KubeReserved: has no effect below spec.template; "));
    }

    private static void unreadableKubeletConfiguration(FieldCasesTest test, Path folder) {
        assertThat(notes(folder))
                .singleElement()
                .asString()
                .contains("file /etc/kubernetes/kubelet.conf: no YAML: ", ", no node starts with it; ");
    }

    private static void kubeletSettingsWithMistakes(FieldCasesTest test, Path folder) {
        assertThat(notes(folder))
                .hasSize(4)
                .anyMatch(note -> note.contains("/maxPods: is not a kubelet setting; did you mean MaxPods?"))
                .anyMatch(note -> note.contains("/KubeReserved: \"cpu:200m memory\" must be cpu, memory, "))
                .anyMatch(note -> note.contains("/EvictionHard: \"memory.available=100Mi\" has no < and is ignored; "))
                .anyMatch(note -> note.contains("/etc/kubernetes/kubelet.conf: kubeReserved: \"cpu:200m memory\""));
    }

    private static void fileAndUnitOfOnePath(FieldCasesTest test, Path folder) {
        CommandRun lint = lint(folder, "--fail-on", "error");

        assertThat(lint.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(lint.out().lines().filter(line -> line.contains("error: ") && line.endsWith("(duplicate-path)")))
                .hasSize(2)
                .anyMatch(line -> line.contains("(/etc/systemd/system/node-setup.service)"))
                .anyMatch(line -> line.contains("(/etc/systemd/system/containerd.service.d/10-limits.conf)"));
    }

    private static void removedFlags(FieldCasesTest test, Path folder) {
        assertThat(lint(folder).out().lines().filter(line -> line.contains("(removed-option")))
                .hasSize(3)
                .allMatch(line -> line.contains(": error: "))
                .anyMatch(line -> line.contains("no --container-runtime since Kubernetes 1.27"))
                .anyMatch(line -> line.contains("no --pod-infra-container-image since Kubernetes 1.35"))
                .anyMatch(line -> line.contains("only --cloud-provider=external since Kubernetes 1.29"));
        assertThat(lint(folder, "--matrix", "1.34").out()).doesNotContain("pod-infra-container-image");
    }

    private static void waitsForEachAddress(FieldCasesTest test, Path folder) {
        String script = test.render(PROFILES.resolve("osp-ubuntu.yaml"), folder)
                .provisioning()
                .getOrDefault("/opt/osm/node-address", "");

        assertThat(script).contains("ip=$(address 4)\nip+=,$(address 6)\n").contains("exit 1");
    }

    private static void modes(FieldCasesTest test, Path folder) {
        assertThat(lint(folder).out().lines().filter(line -> line.contains(": error: ")))
                .anyMatch(line -> line.contains("0644 is read as 420, mode 0420; write 644"))
                .anyMatch(line -> line.contains("0400 is read as 256, mode 0256; write 400"));
    }

    private static void lineEnds(FieldCasesTest test, Path folder) {
        assertThat(lint(folder).out().lines().filter(line -> line.endsWith("(shell-syntax)")))
                .singleElement()
                .asString()
                .contains(": error: ", "(/opt/bin/encoded)", "CR LF", "interpreter is not found");
    }

    private static void customProfile(FieldCasesTest test, Path folder) {
        CommandRun lint = lint(folder, "--fail-on", "error");
        CommandRun render = render(folder.resolve("osp.yaml"), folder, "--only", "bootstrap");

        assertThat(lint.exitCode()).as(lint.out()).isZero();
        assertThat(lint.err()).contains("28 renderings");
        assertThat(render.exitCode()).as(render.err()).isZero();
    }

    private static void cloudInitOptionOrder(FieldCasesTest test, Path folder) {
        assertThat(lint(folder).out().lines())
                .anyMatch(line ->
                        line.contains(": warning: ") && line.contains("--file") && line.contains("(removed-option"));
    }

    private static void neverFetched(FieldCasesTest test, Path folder) {
        assertThat(lint(folder).out().lines())
                .singleElement()
                .asString()
                .contains(": warning: spec.bootstrapConfig: ", ".SecretName", "(never-fetched)");
    }

    private static void defaultProfile(FieldCasesTest test, Path folder) {
        Documents documents = test.render(PROFILES.resolve("osp-ubuntu.yaml"), folder);

        assertThat(documents.provisioning().get("/opt/osm/steps/30-packages")).contains("qemu-guest-agent");
        assertThat(documents.provisioning().get("/etc/kubernetes/kubelet.yaml")).contains("serializeImagePulls: false");
        assertThat(documents.provisioningRoot().path("write_files"))
                .filteredOn(file -> file.path("path").asText().equals("/etc/systemd/system/kubelet.service"))
                .singleElement()
                .satisfies(file -> assertThat(file.path("permissions").asText()).isEqualTo("0600"));
    }

    private static void partialProfile(FieldCasesTest test, Path folder) {
        assertThat(lint(folder).out().lines())
                .singleElement()
                .asString()
                .contains("lacks osName, osVersion, version, supportedCloudProviders, provisioningConfig")
                .contains("cannot extend it; copy the whole profile");
    }

    private static void overridePath(FieldCasesTest test, Path folder) {
        Map<String, String> files =
                test.render(folder.resolve("osp.yaml"), folder).provisioning();
        String quay = files.getOrDefault("/etc/containerd/certs.d/quay.io/hosts.toml", "");

        assertThat(files.get("/etc/containerd/certs.d/docker.io/hosts.toml")).containsOnlyOnce("override_path = true");
        assertThat(quay).containsOnlyOnce("override_path = true");
        assertThat(quay).containsSubsequence("quay-proxy", "override_path", "backup.example.org");
    }

    private static void proxy(FieldCasesTest test, Path folder) {
        Documents documents = test.render(PROFILES.resolve("osp-ubuntu.yaml"), folder);

        assertThat(documents.bootstrap().values()).anyMatch(text -> text.contains("proxy.example.org"));
        assertThat(documents.provisioning().get("/etc/apt/apt.conf.d/95osm")).contains("proxy.example.org");
        assertThat(documents.provisioning().values())
                .anyMatch(text -> text.contains("HTTPS_PROXY=http://proxy.example.org"));
    }

    private static void commandQuoting(FieldCasesTest test, Path folder) {
        JsonNode wanted = read(text(folder.resolve("osp.yaml"))).at("/spec/bootstrapConfig/modules");
        JsonNode got = test.render(folder.resolve("osp.yaml"), folder).bootstrapRoot();

        assertThat(got.path("bootcmd")).isEqualTo(wanted.path("bootcmd"));
        assertThat(got.path("runcmd")).isEqualTo(wanted.path("runcmd"));
    }

    private static void foreignBraces(FieldCasesTest test, Path folder) {
        assertThat(lint(folder).out()).contains("(template-syntax)");
    }

    private static void realWorldFields(FieldCasesTest test, Path folder) {
        JsonNode keys =
                test.render(folder.resolve("osp.yaml"), folder).bootstrapRoot().path("ssh_authorized_keys");

        assertThat(keys).singleElement().satisfies(key -> assertThat(key.asText())
                .startsWith("ssh-ed25519 ")
                .doesNotContain("\n"));
    }

    private static void staticNetwork(FieldCasesTest test, Path folder) {
        CommandRun render = render(PROFILES.resolve("osp-ubuntu.yaml"), folder, "--only", "bootstrap");

        assertThat(render.exitCode()).isNotZero();
        assertThat(render.err()).contains("static IP config is not supported with ubuntu");
    }

    private static void subPathRegistries(FieldCasesTest test, Path folder) {
        assertThat(test.render(folder.resolve("osp.yaml"), folder)
                        .provisioning()
                        .get("/etc/containerd/certs.d/registry.example.org/hosts.toml"))
                .contains("/v2/a", "/v2/b");
    }

    private static CommandRun lint(Path folder, String... options) {
        return CommandRun.of(
                Stream.concat(Stream.of("lint", folder.resolve("osp.yaml").toString()), Stream.of(options))
                        .toArray(String[]::new));
    }

    private static CommandRun render(Path profile, Path folder, String... options) {
        Stream<String> arguments = Stream.of(
                "render",
                "--osp",
                profile.toString(),
                "-m",
                folder.resolve("md.yaml").toString());
        Path settings = folder.resolve("settings.yaml");
        Stream<String> more = Files.exists(settings) ? Stream.of("--settings", settings.toString()) : Stream.of();
        return CommandRun.of(Stream.of(arguments, more, Stream.of(options))
                .flatMap(words -> words)
                .toArray(String[]::new));
    }

    /** Both documents, and the content of their files by path. */
    private record Documents(JsonNode bootstrapRoot, JsonNode provisioningRoot) {
        Map<String, String> bootstrap() {
            return files(bootstrapRoot);
        }

        Map<String, String> provisioning() {
            return files(provisioningRoot);
        }

        private static Map<String, String> files(JsonNode root) {
            Map<String, String> files = new TreeMap<>();
            for (JsonNode file : root.path("write_files")) {
                String content = file.path("content").asText();
                files.put(
                        file.path("path").asText(),
                        file.path("encoding").asText().equals("b64")
                                ? new String(Base64.getDecoder().decode(content), UTF_8)
                                : content);
            }
            return files;
        }
    }

    private Documents render(Path profile, Path folder) {
        CommandRun run = render(profile, folder, "--out", out.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new Documents(read(text(out.resolve("bootstrap.txt"))), read(text(out.resolve("provisioning.txt"))));
    }

    private static JsonNode read(String yaml) {
        return SourceDocument.json(YamlDocumentReader.read("document", yaml, Reason.SettingsInvalid)
                .getFirst()
                .root());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

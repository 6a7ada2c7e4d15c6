package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub airgap} and {@code hub lint --air-gapped}, and the fetch script against a server. */
final class AirGapCommandTest {
    private static final String TOOL = "https://files.example.org/v1/tool-amd64";

    @TempDir
    private Path directory;

    @Test
    void theShippedProfilesAreListedForOneCombination() {
        CommandRun run = CommandRun.of("airgap", "list", "--matrix", "ubuntu,aws,1.34");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "PROFILE KUBERNETES KIND DOWNLOAD MIRROR FILE",
                        "osp-ubuntu 1.34 url https://dl.k8s.io/v1.34.2/bin/linux/amd64/kubelet none /opt/osm/steps/50-binaries",
                        "osp-ubuntu 1.34 image registry.k8s.io/pause none /etc/containerd/config.toml")
                .allMatch(line -> line.startsWith("PROFILE ") || line.startsWith("osp-ubuntu "));
    }

    @Test
    void settingsOfATenantShowItsMirrors() throws IOException {
        String settings = write("tenant.yaml", """
                apiVersion: osmhub.io/v1alpha1
                kind: WorkerCluster
                metadata: {name: shop, namespace: cluster-shop}
                spec:
                  provisioning:
                    downloads: {kubernetes: "https://mirror.example.org/kubernetes"}
                """);

        CommandRun run = CommandRun.of("airgap", "list", "--matrix", "flatcar,aws,1.34", "--settings", settings);

        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines().map(line -> line.replaceAll(" +", " ")))
                .anyMatch(line -> line.contains(" https://mirror.example.org/kubernetes/v1.34.2/bin/linux/arm64/kubelet"
                        + " provisioning.downloads.kubernetes "));
    }

    @Test
    void aMachineDeploymentIsRenderedWithItsVersion() throws IOException {
        String machineDeployment = write(
                "md.yaml",
                DocumentationExamples.text("machinedeployment.yaml").replace("kubelet: 1.34.2", "kubelet: 1.35.7"));

        CommandRun run = CommandRun.of(
                "airgap",
                "list",
                "--osp",
                DocumentationExamples.path("osp.yaml").toString(),
                "-m",
                machineDeployment,
                "--settings",
                DocumentationExamples.path("tenant.yaml").toString());

        assertThat(run.out()).contains("osp-example  1.35.7").contains("registry.k8s.io/pause:3.10");
    }

    @Test
    void whatIsUnresolvedIsPrintedAndSetsTheExitCode() throws IOException {
        CommandRun run = CommandRun.of("airgap", "list", "--osp", profile("curl -o tool $(jq -r .url answer)"));

        assertThat(run.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(run.err())
                .isEqualTo("note: osp-tool, /opt/setup.sh line 1: unresolved: curl -o tool $(jq -r .url answer)\n");
    }

    @Test
    void invalidInputIsRefused() throws IOException {
        assertThat(CommandRun.of("airgap", "list", "--matrix", "ubunto").err()).contains("did you mean ubuntu?");
        assertThat(CommandRun.of("airgap", "list", "-m", "md.yaml").err()).contains("add one --osp FILE");
        assertThat(CommandRun.of("airgap", "list", "--osp", write("broken.yaml", "kind: OperatingSystemProfile\n"))
                        .exitCode())
                .isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(CommandRun.of("airgap", "list", "--settings", write("s.yaml", "provisioning: {downloadz: {}}\n"))
                        .err())
                .contains("downloadz");
        assertThat(CommandRun.of("lint", profile("true"), "--settings", "s.yaml")
                        .err())
                .contains("--air-gapped");
    }

    @Test
    void theLinterFailsOnADownloadWithoutMirrorAndPassesWithAProxy() throws IOException {
        String profile = profile("curl -fo /opt/tool " + TOOL);
        String proxy = write("proxy.yaml", "provisioning: {proxy: {httpProxy: 'http://proxy.example.org:3128'}}\n");

        CommandRun without = CommandRun.of("lint", profile);
        CommandRun airGapped = CommandRun.of("lint", profile, "--air-gapped");
        CommandRun proxied = CommandRun.of("lint", profile, "--air-gapped", "--settings", proxy);

        assertThat(without.exitCode()).isZero();
        assertThat(airGapped.exitCode()).isEqualTo(ExitCode.FOUND_SOMETHING);
        assertThat(airGapped.out())
                .contains("error: spec.provisioningConfig.files[0] (/opt/setup.sh): nodes download " + TOOL)
                .contains("(air-gap");
        assertThat(proxied.exitCode()).isZero();
    }

    @Test
    void theBundleFetchesChecksAndRecords() throws Exception {
        Map<String, String> served = new ConcurrentHashMap<>();
        served.put("/v1/tool-amd64", "tool");
        served.put("/v1/tool-amd64.sha256", sha256("tool") + "\n");
        served.put("/other", "other");
        Path bundle = directory.resolve("bundle");
        try (Server server = new Server(served)) {
            String profile = profile("""
                    curl -fo /opt/tool http://files.example.org/v1/tool-amd64
                    curl -fo /opt/tool.sha256 http://files.example.org/v1/tool-amd64.sha256
                    curl -fo /opt/other http://files.example.org/other""");

            CommandRun run = CommandRun.of("airgap", "bundle", bundle.toString(), "--osp", profile);
            Fetch first = fetch(bundle, server);
            Fetch again = fetch(bundle, server);
            Files.writeString(bundle.resolve("files/files.example.org/other"), "changed");
            Fetch changed = fetch(bundle, server);
            served.put("/v1/tool-amd64.sha256", sha256("another") + "\n");
            Files.delete(bundle.resolve("files/files.example.org/v1/tool-amd64.sha256"));
            Fetch damaged = fetch(bundle, server);

            assertThat(run.exitCode()).isZero();
            assertThat(run.err()).contains("3 URLs, 0 lists of packages, 0 images");
            assertThat(first).isEqualTo(new Fetch(0, "fetch: complete\n"));
            assertThat(bundle.resolve("SHA256SUMS"))
                    .hasContent(sha256("other") + "  files/files.example.org/other\n" + sha256("tool")
                            + "  files/files.example.org/v1/tool-amd64\n"
                            + sha256(sha256("tool") + "\n") + "  files/files.example.org/v1/tool-amd64.sha256\n");
            assertThat(again).isEqualTo(first);
            assertThat(changed.exitCode()).isEqualTo(1);
            assertThat(changed.output())
                    .contains(
                            "files/files.example.org/other: checksum is " + sha256("changed") + ", but SHA256SUMS has");
            assertThat(damaged.output()).contains("tool-amd64: does not match", "was deleted");
            assertThat(bundle.resolve("files/files.example.org/v1/tool-amd64")).doesNotExist();
        }
    }

    @Test
    void theBundleOfTheShippedProfilesHasAllLists() throws IOException {
        Path bundle = directory.resolve("bundle");

        CommandRun run = CommandRun.of("airgap", "bundle", bundle.toString(), "--matrix", "1.34");

        assertThat(run.exitCode()).isZero();
        assertThat(Files.readAllLines(bundle.resolve("urls.tsv")))
                .contains("https://dl.k8s.io/v1.34.2/bin/linux/amd64/kubelet\t"
                        + "files/dl.k8s.io/v1.34.2/bin/linux/amd64/kubelet\t"
                        + "files/dl.k8s.io/v1.34.2/bin/linux/amd64/kubelet.sha256");
        assertThat(bundle.resolve("images.txt")).hasContent("registry.k8s.io/pause\n");
        assertThat(Files.readAllLines(bundle.resolve("packages/ubuntu-24.04.txt")))
                .contains("containerd.io=2.3*");
        assertThat(Files.readAllLines(bundle.resolve("packages/rocky-9.txt"))).contains("conntrack-tools");
        JsonNode manifest =
                new ObjectMapper().readTree(bundle.resolve("manifest.json").toFile());
        assertThat(manifest.path("profiles")).hasSize(8);
        assertThat(manifest.at("/profiles/0/downloads/0/checksum").asText()).startsWith("https://");
        assertThat(manifest.toString()).contains("\"checksum\":\"recorded at fetch\"");
    }

    private record Fetch(int exitCode, String output) {}

    private static Fetch fetch(Path bundle, Server server) throws IOException, InterruptedException {
        Path home = Files.createDirectories(bundle.resolveSibling("curl"));
        Files.writeString(home.resolve(".curlrc"), "connect-to = \"::127.0.0.1:" + server.port() + "\"\nretry = 0\n");
        ProcessBuilder script =
                new ProcessBuilder("bash", bundle.resolve("fetch.sh").toString()).redirectErrorStream(true);
        Map<String, String> environment = new TreeMap<>(Map.of("CURL_HOME", home.toString()));
        for (String proxy : List.of("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy")) {
            script.environment().remove(proxy);
        }
        script.environment().putAll(environment);
        Process process = script.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Fetch(process.waitFor(), output);
    }

    /** Serves texts by path. */
    private static final class Server implements AutoCloseable {
        private final HttpServer server;

        Server(Map<String, String> served) throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                String text = served.get(exchange.getRequestURI().getPath());
                byte[] body = (text == null ? "" : text).getBytes(UTF_8);
                exchange.sendResponseHeaders(text == null ? 404 : 200, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
        }

        int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    private static String sha256(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    }

    /** A profile whose only script is this one. */
    private String profile(String script) throws IOException {
        return write("osp.yaml", """
                apiVersion: operatingsystemmanager.k8c.io/v1alpha1
                kind: OperatingSystemProfile
                metadata: {name: osp-tool, namespace: kube-system}
                spec:
                  osName: ubuntu
                  osVersion: "24.04"
                  version: v1.0.0
                  provisioningUtility: cloud-init
                  supportedCloudProviders: [{name: aws}]
                  bootstrapConfig:
                    files:
                    - path: /opt/bootstrap
                      content: {inline: {data: "{{ .SecretName }}"}}
                  provisioningConfig:
                    files:
                    - path: /opt/setup.sh
                      permissions: 755
                      content:
                        inline:
                          encoding: b64
                          data: |
                """ + script.indent(12));
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }
}

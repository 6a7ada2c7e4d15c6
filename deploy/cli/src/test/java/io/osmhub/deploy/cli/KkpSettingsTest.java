package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code hub config from-kkp}. */
final class KkpSettingsTest {
    private static final Path KKP =
            Path.of(System.getProperty("osmhub.root", "../..")).resolve("core/src/test/resources/kkp");

    private static CommandRun fromKkp(String folder, String... options) {
        List<String> arguments = new ArrayList<>(List.of("config", "from-kkp"));
        for (String file : List.of("cluster.yaml", "seed.yaml", "config.yaml")) {
            Path path = KKP.resolve(folder).resolve(file);
            if (Files.exists(path)) {
                arguments.add(path.toString());
            }
        }
        arguments.addAll(List.of(options));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void printsTheArgumentsThatKkpGivesToOsm() throws IOException {
        try (Stream<Path> folders = Files.list(KKP)) {
            for (Path folder : folders.filter(Files::isDirectory).toList()) {
                CommandRun run = fromKkp(folder.getFileName().toString(), "-o", "args");
                Path arguments = folder.resolve("expected-args.txt");
                boolean valid = Files.exists(arguments);
                assertThat(run.out()).as(folder.toString()).isEqualTo(valid ? Files.readString(arguments) : "");
                assertThat(run.exitCode()).isEqualTo(valid ? ExitCode.OK : ExitCode.UNUSABLE_INPUT);
            }
        }
    }

    @Test
    void showsTheSettingsOfAKkpClusterWithTheirFields() {
        assertThat(fromKkp("29-seed-proxy-inherited").out().lines())
                .containsExactly(
                        "SETTING                             FLAG                VALUE                                SOURCE",
                        "provisioning.clusterDNS             -cluster-dns        169.254.20.10                        Cluster qdnmwnnsbc spec.clusterNetwork.nodeLocalDNSCacheEnabled",
                        "provisioning.containerRuntime.name  -container-runtime  containerd                           Cluster qdnmwnnsbc spec.containerRuntime",
                        "provisioning.proxy.httpProxy        -node-http-proxy    http://seed-proxy.example.test:3128  Seed fjord spec.proxySettings.httpProxy",
                        "provisioning.proxy.noProxy          -node-no-proxy      .seed.example.test,192.0.2.0/24      Seed fjord spec.proxySettings.noProxy");
        assertThat(fromKkp("16-dc-pause-image", "-o", "json").out())
                .contains("\"field\" : \"spec.datacenters.nord-kv-1.node.pauseImage\"");
        assertThat(fromKkp("16-dc-pause-image", "-o", "yaml").out()).contains("flag: -pause-image\n");
    }

    @Test
    void errorsNameFileObjectAndField() {
        assertThat(fromKkp("47-error-datacenter-missing").err())
                .contains(
                        "hub: 1 error",
                        "cluster.yaml:11:5",
                        "Cluster txfdsp54hh spec.cloud.dc",
                        "datacenter missing: nord-gone-9 is not in spec.datacenters of Seed fjord");
        assertThat(fromKkp("11-runtime-docker").err())
                .contains("Cluster ", " spec.containerRuntime", "docker not supported");
        String seed = KKP.resolve("01-minimal/seed.yaml").toString();
        assertThat(CommandRun.of("config", "from-kkp", seed).err())
                .contains(seed + "  no Cluster of kubermatic.k8c.io found; add a file that contains one");
        assertThat(CommandRun.of("config", "from-kkp", KKP + "/none.yaml").err())
                .contains("none.yaml", "file not found");
    }

    @Test
    void readsSeveralDocumentsFromStandardInputAndRejectsAnAmbiguousCluster() {
        String objects = """
                apiVersion: cluster.x-k8s.io/v1
                kind: Cluster
                metadata: {name: other}
                ---
                {apiVersion: v1, kind: List, items: [
                  {apiVersion: kubermatic.k8c.io/v1, kind: Cluster, metadata: {name: a}, spec: {cloud: {dc: d}}},
                  {apiVersion: kubermatic.k8c.io/v1, kind: Seed, metadata: {name: s}, spec: {datacenters: {d: {}}}}]}
                """;

        assertThat(CommandRun.withInput(objects, "config", "from-kkp", "-", "-o", "args")
                        .out())
                .endsWith("-cluster-dns\n169.254.20.10\n");
        assertThat(CommandRun.withInput(
                                objects + "---\n" + objects.replace("name: a", "name: b"), "config", "from-kkp", "-")
                        .err())
                .contains("standard input", "Cluster b", "ambiguous: the files contain Cluster a, Cluster b");
    }
}

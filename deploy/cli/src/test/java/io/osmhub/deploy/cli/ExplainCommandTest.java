package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.SettingsCatalog;
import io.osmhub.core.template.FunctionCatalog;
import io.osmhub.core.template.FunctionCatalog.FunctionReference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ExplainCommandTest {
    @Test
    void aloneListsTheTopics() {
        assertThat(CommandRun.of("explain").out()).contains("hub explain settings ", "hub explain reason ");
    }

    @Test
    void listsEverySettingWithItsMeaning() {
        String out = CommandRun.of("explain", "settings").out();

        assertThat(out.lines()).hasSize(SettingsCatalog.all().size());
        assertThat(out).contains("provisioning.clusterDNS  ", "Addresses of the cluster DNS service");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "provisioning.clusterDNS",
                "spec.provisioning.clusterDNS",
                "clusterDNS",
                "clusterdns",
                "cluster-dns"
            })
    void explainsASettingByItsPathItsLastNameOrItsFlag(String name) {
        CommandRun run = CommandRun.of("explain", "settings", name);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("spec.provisioning.clusterDNS of a WorkerCluster (list of texts)")
                .contains("default     [10.10.10.10]")
                .contains("peer        -cluster-dns")
                .contains("changes     OperatingSystemConfig, provisioning secret");
    }

    @Test
    void takesThePathAfterADotAsKubectlDoes() {
        assertThat(CommandRun.of("explain", "settings.provisioning.clusterDNS"))
                .isEqualTo(CommandRun.of("explain", "settings", "provisioning.clusterDNS"));
    }

    @Test
    void listsTheSettingsBelowAPath() {
        assertThat(CommandRun.of("explain", "settings", "provisioning.proxy")
                        .out()
                        .lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("provisioning.proxy."));
    }

    @Test
    void explainsEverySettingAndEveryReason() {
        SettingsCatalog.all().forEach(entry -> assertThat(
                        CommandRun.of("explain", "settings", entry.field()).exitCode())
                .as(entry.field())
                .isZero());
        for (Reason reason : Reason.values()) {
            assertThat(CommandRun.of("explain", "reason", reason.wireName()).out())
                    .startsWith(reason.wireName() + " (")
                    .contains("set when ");
        }
    }

    @Test
    void explainsAFunctionOfEachLanguageThatHasIt() {
        String out = CommandRun.of("explain", "function", "indent").out();

        assertThat(out)
                .contains("indent (Go template, ", "indent (Handlebars, ", "example     {{", "from        sprig");
    }

    @Test
    void explainsWhyAFunctionIsRefused() {
        assertThat(CommandRun.of("explain", "function", "now").out())
                .contains("now (Go template, refused)")
                .contains("it reads the clock")
                .contains("write the date or duration as text");
    }

    @Test
    void explainsEveryFunctionAndListsThem() {
        String overview = CommandRun.of("explain", "functions").out();

        for (FunctionReference function : FunctionCatalog.all()) {
            assertThat(overview).contains("  " + function.signature());
            assertThat(CommandRun.of("explain", "function", function.name()).out())
                    .as(function.name())
                    .contains(function.name() + " (" + function.language().title());
        }
    }

    private static final Path KKP =
            Path.of(System.getProperty("osmhub.root", "../..")).resolve("core/src/test/resources/kkp");

    private static CommandRun fromKkp(String folder, String... options) {
        List<String> arguments = new ArrayList<>(List.of("explain", "settings", "--from-kkp"));
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
        String[] one = {
            "explain",
            "setting",
            "noProxy",
            "--from-kkp",
            KKP.resolve("29-seed-proxy-inherited/cluster.yaml").toString(),
            KKP.resolve("29-seed-proxy-inherited/seed.yaml").toString()
        };
        assertThat(CommandRun.of(one).out().lines()).hasSize(2).anyMatch(line -> line.contains("-node-no-proxy "));
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
        assertThat(CommandRun.of("explain", "settings", "--from-kkp", seed).err())
                .contains(seed + "  no Cluster of kubermatic.k8c.io found; add a file that contains one");
        assertThat(CommandRun.of("explain", "settings", "--from-kkp", KKP + "/none.yaml")
                        .err())
                .contains("none.yaml", "file not found");
        assertThat(CommandRun.of("explain", "reasons", "--from-kkp", seed).err())
                .contains("--from-kkp: shows settings, not reasons");
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

        assertThat(CommandRun.withInput(objects, "explain", "settings", "--from-kkp", "-", "-o", "args")
                        .out())
                .endsWith("-cluster-dns\n169.254.20.10\n");
        assertThat(CommandRun.withInput(
                                objects + "---\n" + objects.replace("name: a", "name: b"),
                                "explain",
                                "settings",
                                "--from-kkp",
                                "-")
                        .err())
                .contains("standard input", "Cluster b", "ambiguous: the files contain Cluster a, Cluster b");
    }

    @ParameterizedTest
    @CsvSource({
        "settings, clusterDnss, did you mean provisioning.clusterDNS?",
        "settings, provisioning.proxi.httpProxy, did you mean provisioning.proxy.httpProxy?",
        "settings, nothing-like-it, list all with hub explain settings",
        "function, indnet, did you mean indent?",
        "reason, UserDataTooLarg, did you mean UserDataTooLarge?",
        "raeson, UserDataTooLarge, did you mean reason?",
    })
    void suggestsWhatWasMeantByAnUnknownName(String topic, String name, String cure) {
        CommandRun run = CommandRun.of("explain", topic, name);

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("hub: unknown ").endsWith("; " + cure + "\n");
    }
}

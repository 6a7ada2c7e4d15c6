package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.demo.DemoRun.HubStarter;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationSources;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The course of a demo whose hub does nothing. */
final class DemoRunTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<Path> files = new ArrayList<>();
    private boolean hubStopped;

    @TempDir
    private Path root;

    @Test
    void endsWithTheReasonsWhenMachinesDoNotBootInTime() throws Exception {
        int exitCode = run(once(Duration.ofSeconds(15)), run -> {});

        assertThat(exitCode).isEqualTo(1);
        assertThat(output().lines().reduce((_, last) -> last).orElseThrow())
                .matches("demo: 12 of 12 machines did not boot in \\d+\\.\\d s: amber kube-system/workers-a: .+");
        assertThat(output())
                .startsWith("OSM Hub demo. Everything except the hub is simulated.\n")
                .contains(
                        "1 management and 2 worker clusters",
                        "amber kube-system/workers-b: ",
                        "birch kube-system/workers-c: ");
    }

    @Test
    void stopsTheHubAndRemovesItsFilesWhenItEnds() throws Exception {
        run(new DemoRun.Options(1, false, Duration.ofMinutes(1), 0, true, root.toString()), DemoRun::stop);

        assertThat(hubStopped).isTrue();
        assertThat(root.resolve("target")).isEmptyDirectory();
    }

    @Test
    void registersTenClustersUntilTheHubHasConnectedSome() throws Exception {
        List<SimulatedFleet> fleets = new ArrayList<>();
        DemoRun.Options options = new DemoRun.Options(12, false, Duration.ofMinutes(1), 0, false, root.toString());

        try (DemoRun run =
                new DemoRun(options, screen(), (_, _) -> () -> hubStopped = true, fleets::add, System.nanoTime())) {
            run.stop();
            assertThat(run.run()).isZero();
        }

        SimulatedFleet fleet = fleets.getFirst();
        assertThat(fleet.tenants())
                .filteredOn(tenant -> fleet.management()
                        .objects()
                        .get("v1", "Secret", tenant.namespace(), tenant.workerCluster() + "-kubeconfig")
                        .isPresent())
                .hasSize(10);
    }

    @Test
    void doesWhatAKeyStandsForAndSaysSo() throws Exception {
        run(new DemoRun.Options(1, false, Duration.ofMinutes(1), 0, true, root.toString()), run -> {
            "rdmbxq".chars().forEach(key -> run.onKeyPressed((char) key));
        });

        assertThat(output())
                .contains(
                        "profile osp-ubuntu is v1.",
                        "worker-1 has no secret yet",
                        "wait until each worker cluster has its 3 MachineDeployments, then press m",
                        "then press b");
    }

    @Test
    void writesAKubeconfigWithAContextForEachClusterThatOnlyItsOwnerCanRead() throws Exception {
        List<String> contexts = new ArrayList<>();
        HubStarter looksAtTheFiles = (configuration, _) -> {
            files.add(configuration);
            Path kubeconfig = configuration.resolveSibling("kubeconfig");
            for (JsonNode context :
                    new ObjectMapper().readTree(kubeconfig.toFile()).path("contexts")) {
                contexts.add(context.path("name").asText());
            }
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kubeconfig)))
                    .isEqualTo("rw-------");
            ConfigurationLoader.Result loaded = ConfigurationLoader.load(new ConfigurationSources(
                    configuration.toString(), ConfigurationSources.USUAL_FILE, Map.of(), List.of()));
            assertThat(loaded).isInstanceOfSatisfying(ConfigurationLoader.Result.Loaded.class, hub -> {
                assertThat(hub.effective().configuration().management().kubeconfig())
                        .isEqualTo(kubeconfig.toString());
            });
            return () -> {};
        };

        try (DemoRun run = new DemoRun(
                new DemoRun.Options(2, false, Duration.ofMinutes(1), 0, false, root.toString()),
                screen(),
                looksAtTheFiles,
                _ -> {},
                System.nanoTime())) {
            run.stop();
            assertThat(run.run()).isZero();
        }

        assertThat(contexts).containsExactly("management", "worker-1", "worker-2");
        assertThat(output())
                .contains(
                        "try: kubectl --context worker-1 get secrets -n cloud-init-settings",
                        "./hub get clusters   ./hub why workers-a -n amber",
                        "press Ctrl-C to stop");
    }

    private DemoRun.Options once(Duration timeout) {
        return new DemoRun.Options(2, true, timeout, 0, false, root.toString());
    }

    private int run(DemoRun.Options options, Consumer<DemoRun> meanwhile) throws Exception {
        Files.createDirectories(root.resolve("target"));
        HubStarter doesNothing = (configuration, log) -> {
            files.add(configuration);
            return () -> hubStopped = true;
        };
        try (DemoRun run = new DemoRun(options, screen(), doesNothing, _ -> {}, System.nanoTime())) {
            meanwhile.accept(run);
            return run.run();
        }
    }

    private PlainScreen screen() {
        return new PlainScreen(new PrintStream(printed, true, StandardCharsets.UTF_8), InstantSource.system());
    }

    private String output() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}

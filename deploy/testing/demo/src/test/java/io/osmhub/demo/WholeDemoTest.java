package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.demo.stage.SimulatedFleet;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo with the real hub, as {@code ./hub demo --once} plays it. */
final class WholeDemoTest {
    private static final Duration GENEROUS = Duration.ofMinutes(2);

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    private Path root;

    @Test
    void endsAsSoonAsEveryMachineHasBootedFromRightSecrets() throws Exception {
        int exitCode = once(GENEROUS, _ -> {});

        assertThat(output())
                .as("what was printed")
                .contains("demo: 9 MachineDeployments in 3 clusters, 18 machines booted");
        assertThat(exitCode).isZero();
        assertThat(root.resolve("target")).isEmptyDirectory();
    }

    @Test
    void saysWhichClusterIsBrokenWhenItsMachinesDoNotBoot() throws Exception {
        int exitCode = once(
                Duration.ofSeconds(20),
                stage -> stage.tenants().get(1).cluster().faults().refuseConnections(true));

        assertThat(exitCode).isEqualTo(1);
        assertThat(output())
                .contains("demo: 6 of 18 machines did not boot in ")
                .contains("birch worker-2: WorkerClusterUnreachable")
                .contains("birch kube-system/workers-a: ")
                .doesNotContain("amber kube-system/workers-a: ", "cedar kube-system/workers-a: ");
    }

    private int once(Duration timeout, Consumer<SimulatedFleet> prepare) throws Exception {
        Files.createDirectories(root.resolve("target"));
        PlainScreen screen =
                new PlainScreen(new PrintStream(printed, true, StandardCharsets.UTF_8), InstantSource.system());
        DemoRun.Options options = new DemoRun.Options(3, true, timeout, 0, false, root.toString());
        try (DemoRun run = new DemoRun(options, screen, new InProcessHub(), prepare, System.nanoTime())) {
            return run.run();
        }
    }

    private String output() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}

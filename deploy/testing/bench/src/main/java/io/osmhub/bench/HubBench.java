package io.osmhub.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.osmhub.bench.BenchHubProcess.DistributionLayout;
import io.osmhub.bench.BenchHubProcess.HubSetup;
import io.osmhub.bench.TrainCommand.Training;
import io.osmhub.demo.ControllingTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Measures one hub in its own process with simulated clusters. Not thread-safe.
 *
 * @param <R> result, as the keys of the JSON file
 */
@SuppressWarnings("NullAway.Init") // the fields are set by call
abstract class HubBench<R> {
    private static final int MISSED = 1;

    private final String name;
    final FleetBench options;

    /** Description of the machine. */
    String machine;

    ProgressBar progress;
    final Path checkout = Path.of(System.getProperty("osmhub.root", "."));
    /** For the hub's files. */
    Path folder;

    BenchFleet fleet;
    HubSetup setup;
    private volatile @Nullable BenchHubProcess hubProcess;

    /** @param name of the folder for its files */
    HubBench(String name, FleetBench options) {
        this.name = name;
        this.options = options;
    }

    abstract R run() throws IOException, InterruptedException;

    abstract void print(R result);

    /** Whether to exit with 1 because of a missed target. */
    abstract boolean isMissed(R result);

    /** Returns the exit code. */
    final int call() throws IOException, InterruptedException {
        machine = Bench.MachineInfo.describe();
        progress = new ProgressBar(System.err, ControllingTerminal.showsOutput(System.getenv()));
        folder = Files.createTempDirectory(Files.createDirectories(checkout.resolve("target")), name + "-");
        R result;
        try (BenchFleet built = BenchFleet.build(checkout)) {
            fleet = built;
            setup = HubSetup.of(built, folder);
            // An interrupted benchmark kills its hub.
            Runtime.getRuntime().addShutdownHook(new Thread(this::killHub));
            try {
                result = run();
            } finally {
                killHub();
            }
        }
        if (options.json != null) {
            Files.write(
                    options.json,
                    new ObjectMapper()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsBytes(result));
        }
        print(result);
        return isMissed(result) ? MISSED : 0;
    }

    /** Adds the worker clusters before the hub starts. */
    void addTenants(MeasuredFleet clusters, int count, int machineDeployments) {
        progress.begin(clusters.kind());
        for (int i = 0; i < count; i++) {
            clusters.addTenant(machineDeployments);
            progress.update(i + 1L, count);
        }
        progress.end(String.format(Locale.ROOT, "%,d with %d MachineDeployments each", count, machineDeployments));
    }

    /** The folder for the layout of the distribution. */
    Path home() throws IOException {
        return Files.createDirectories(folder.resolve("osm-hub"));
    }

    /** The program as in an image, including the AOT cache. */
    Path programWithCache() throws IOException, InterruptedException {
        Path home = home();
        Path program = DistributionLayout.copyTo(home, checkout);
        progress.begin("AOT caches");
        Training.makeCaches(program, checkout, Files.createDirectory(folder.resolve("training")));
        progress.end("");
        return program;
    }

    BenchHubProcess start(List<String> command, String javaOptions, Path log) throws IOException {
        BenchHubProcess hub = BenchHubProcess.start(command, javaOptions, log);
        hubProcess = hub;
        return hub;
    }

    BenchHubProcess hub() {
        return Objects.requireNonNull(hubProcess, "the hub was started");
    }

    /** RFC 3339, UTC. */
    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void killHub() {
        BenchHubProcess hub = hubProcess;
        if (hub != null) {
            hub.close();
        }
    }
}

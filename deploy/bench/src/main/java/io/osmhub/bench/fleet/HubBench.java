package io.osmhub.bench.fleet;

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
 * One hub in its own process and its simulated clusters, for one benchmark. Not thread-safe.
 *
 * @param <R> result
 */
abstract class HubBench<R> implements AutoCloseable {
    /**
     * Settings of a benchmark.
     *
     * @param machine description of the machine
     * @param folder an empty folder for the hub's files
     */
    record BenchSettings(String machine, ProgressBar progress, Path checkout, Path folder) {}

    final String machine;
    final ProgressBar progress;
    final Path checkout;
    final Path folder;
    final BenchFleet fleet;
    final HubSetup setup;
    private volatile @Nullable BenchHubProcess started;

    HubBench(BenchSettings setting) throws IOException {
        this.machine = setting.machine();
        this.progress = setting.progress();
        this.checkout = setting.checkout();
        this.folder = setting.folder();
        this.fleet = BenchFleet.build(checkout);
        this.setup = HubSetup.of(fleet, folder);
    }

    /** Runs the benchmark. */
    abstract R run() throws IOException, InterruptedException;

    /** Adds the worker clusters before the hub starts. */
    void addTenants(int count, int machineDeployments) {
        progress.begin("simulated clusters");
        for (int i = 0; i < count; i++) {
            fleet.addTenant(machineDeployments);
            progress.update(i + 1L, count);
        }
        progress.end(String.format(Locale.ROOT, "%,d with %d MachineDeployments each", count, machineDeployments));
    }

    /** Creates the layout of the distribution. */
    Path home() throws IOException {
        return Files.createDirectories(folder.resolve("osm-hub"));
    }

    BenchHubProcess start(List<String> command, String javaOptions, String log) throws IOException {
        BenchHubProcess hub = BenchHubProcess.start(command, javaOptions, folder.resolve(log));
        started = hub;
        return hub;
    }

    BenchHubProcess hub() {
        return Objects.requireNonNull(started, "the hub was started");
    }

    /** RFC 3339, UTC. */
    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Kills the hub. Thread-safe. */
    void killHub() {
        BenchHubProcess hub = started;
        if (hub != null) {
            hub.close();
        }
    }

    @Override
    public void close() {
        killHub();
        fleet.close();
    }
}

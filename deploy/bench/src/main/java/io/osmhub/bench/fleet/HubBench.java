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
 * One hub in a process of its own, and the simulated clusters that it serves, for one measurement. For one thread.
 *
 * @param <R> what is measured
 */
abstract class HubBench<R> implements AutoCloseable {
    /**
     * What every measurement gets.
     *
     * @param machine what is measured on
     * @param folder an empty one, for the hub's files
     */
    record Setting(String machine, ProgressBar progress, Path checkout, Path folder) {}

    final String machine;
    final ProgressBar progress;
    final Path checkout;
    final Path folder;
    final Fleet fleet;
    final HubSetup setup;
    private volatile @Nullable HubProcess started;

    HubBench(Setting setting) throws IOException {
        this.machine = setting.machine();
        this.progress = setting.progress();
        this.checkout = setting.checkout();
        this.folder = setting.folder();
        this.fleet = Fleet.build(checkout);
        this.setup = HubSetup.of(fleet, folder);
    }

    /** Measures everything. */
    abstract R run() throws IOException, InterruptedException;

    /** Adds the worker clusters before the hub starts. */
    void addTenants(int count, int machineDeployments) {
        progress.begin("simulated clusters");
        for (int i = 0; i < count; i++) {
            fleet.addTenant(machineDeployments);
            progress.at(i + 1L, count);
        }
        progress.end(String.format(Locale.ROOT, "%,d with %d MachineDeployments each", count, machineDeployments));
    }

    /** Where the program is laid out as the distribution has it. */
    Path home() throws IOException {
        return Files.createDirectories(folder.resolve("osm-hub"));
    }

    HubProcess start(List<String> command, String javaOptions, String log) throws IOException {
        HubProcess hub = HubProcess.start(command, javaOptions, folder.resolve(log));
        started = hub;
        return hub;
    }

    HubProcess hub() {
        return Objects.requireNonNull(started, "the hub is started first");
    }

    /** RFC 3339, UTC. */
    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Ends the hub at once, whatever it does. May be called from any thread. */
    void killHub() {
        HubProcess hub = started;
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

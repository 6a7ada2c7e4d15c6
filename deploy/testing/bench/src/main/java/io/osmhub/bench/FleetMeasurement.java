package io.osmhub.bench;

import io.osmhub.bench.BenchHubProcess.HubSetup;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/** Measures one hub from its first start to its restart. Not thread-safe. */
final class FleetMeasurement {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final Duration LONGEST_WAIT_EACH = Duration.ofMillis(100);
    // Statuses are written after the secrets, at most 80 a second.
    private static final int STATUSES_PER_SECOND = 80;

    private final HubBench<?> bench;
    private final FleetBench fleetBench;
    private final MeasuredFleet fleet;
    private final HubSetup setup;
    private final Path program;
    private final ProgressBar progress;

    /** @param program {@code bin/hub} of a distribution */
    FleetMeasurement(HubBench<?> bench, MeasuredFleet fleet, HubSetup setup, Path program) {
        this.bench = bench;
        this.fleetBench = bench.options;
        this.fleet = fleet;
        this.setup = setup;
        this.program = program;
        this.progress = bench.progress;
    }

    /** Starts the hub for tenants that exist, and leaves it running after its restart. */
    FleetResult run() throws IOException, InterruptedException {
        RotationMeasurement rotation = fleetBench.rotate ? new RotationMeasurement(bench, this, program) : null;
        List<String> command = setup.command(program);
        FleetResult.Start firstStart = firstStart(command);
        BenchHubProcess hub = bench.hub();
        ProcessStats afterFirst = ProcessStats.of(hub.pid());
        awaitStatuses((long) fleetBench.clusters() * (fleetBench.machineDeployments() + 1));
        Map<String, Long> before = fleet.requests();
        Percentiles oneAtATime = singles();
        FleetResult.Burst inOneTenant = burst("burst in one tenant", fleetBench.burst(), _ -> 0);
        Map<String, Double> perMachineDeployment = perMachineDeployment(before);
        FleetResult.Burst inEachTenant = burst("one in each tenant at once", fleetBench.clusters(), index -> index);
        FleetResult.Idle idle = idle();
        ProcessStats rest = ProcessStats.of(hub.pid());
        FleetResult.Connections connections = new FleetResult.Connections(
                ProcessStats.connections(hub.pid(), fleet.workerPorts()),
                ProcessStats.connections(hub.pid(), Set.of(fleet.managementPort())),
                rest.threads());
        LiveHeap heap = LiveHeap.of(hub.pid());
        RotationResult rotations = rotation == null ? null : rotation.run();
        double stopSeconds = seconds(hub.stop());
        FleetResult.Start restart = restart(command);
        ProcessStats afterRestart = ProcessStats.of(bench.hub().pid());
        return new FleetResult(
                HubBench.now(),
                bench.machine,
                command,
                fleetBench.clusters(),
                fleetBench.machineDeployments(),
                firstStart,
                restart,
                new FleetResult.Memory(
                        afterFirst.resident(),
                        rest.resident(),
                        rest.proportional(),
                        afterRestart.resident(),
                        rest.peakResident(),
                        heap.bytes(),
                        heap.objects()),
                connections,
                perMachineDeployment,
                oneAtATime,
                inOneTenant,
                inEachTenant,
                idle,
                stopSeconds,
                heap.largest(),
                rotations);
    }

    private FleetResult.Start firstStart(List<String> command) throws IOException, InterruptedException {
        long all = (long) fleetBench.clusters() * fleetBench.machineDeployments();
        progress.begin("first start");
        Duration own = ownProcessor();
        BenchHubProcess hub = bench.start(command, "", setup.log("hub.log"));
        Duration ready = hub.awaitReady(setup.healthPort());
        awaitPublished(all);
        Duration synced = hub.sinceStart();
        progress.end(
                format("ready after %.2f s, %,d pairs of secrets after %.2f s", seconds(ready), all, seconds(synced)));
        return new FleetResult.Start(
                seconds(ready),
                seconds(synced),
                seconds(ProcessStats.of(hub.pid()).processor()),
                seconds(ownProcessor().minus(own)));
    }

    private FleetResult.Start restart(List<String> command) throws IOException, InterruptedException {
        progress.begin("restart");
        Duration own = ownProcessor();
        BenchHubProcess hub = bench.start(command, "", setup.log("hub-restarted.log"));
        Duration ready = hub.awaitReady(setup.healthPort());
        try (HttpClient client = HttpClient.newHttpClient()) {
            long synced = 0;
            while (synced < fleetBench.clusters()) {
                requireTime(hub.sinceStart(), "clusters in sync", synced, fleetBench.clusters());
                // Each metrics page of a large fleet takes the hub some milliseconds.
                Thread.sleep(BETWEEN_LOOKS.multipliedBy(40));
                synced = HubMetricsReader.syncedWorkerClusters(client, setup.metricsPort());
                progress.update(synced, fleetBench.clusters());
            }
        }
        Duration all = hub.sinceStart();
        progress.end(format(
                "ready after %.2f s, %,d clusters in sync after %.2f s",
                seconds(ready), fleetBench.clusters(), seconds(all)));
        return new FleetResult.Start(
                seconds(ready),
                seconds(all),
                seconds(ProcessStats.of(hub.pid()).processor()),
                seconds(ownProcessor().minus(own)));
    }

    private Percentiles singles() throws IOException, InterruptedException {
        progress.begin("one at a time");
        List<Duration> latencies = new ArrayList<>();
        for (int i = 0; i < fleetBench.singles(); i++) {
            fleet.startMeasuring();
            // Spread over the fleet, never twice in a row in one cluster unless there is only one.
            fleet.create((int) ((long) i * 7919 % fleetBench.clusters()), "single-" + i);
            awaitPublished(1);
            latencies.addAll(fleet.latencies());
            progress.update(i + 1L, fleetBench.singles());
        }
        Percentiles percentiles = Percentiles.of(latencies);
        progress.end(percentiles.toString());
        return percentiles;
    }

    /** Creates MachineDeployments at once; returns after their statuses are written. */
    FleetResult.Burst burst(String name, int count, IntUnaryOperator tenantOf)
            throws IOException, InterruptedException {
        progress.begin(name);
        fleet.startMeasuring();
        long began = System.nanoTime();
        fleet.createAll(name.replace(' ', '-') + "-", count, tenantOf);
        awaitPublished(count);
        double all = (System.nanoTime() - began) / 1e9;
        Collection<Duration> latencies = fleet.latencies();
        FleetResult.Burst result = new FleetResult.Burst(count, Percentiles.of(latencies), all);
        progress.end(format("%s, all after %.2f s", result.latency(), all));
        awaitStatuses(count * 2L);
        return result;
    }

    private Map<String, Double> perMachineDeployment(Map<String, Long> before) {
        int created = fleetBench.singles() + fleetBench.burst();
        Map<String, Double> each = new TreeMap<>();
        since(before, fleet.requests()).forEach((kind, count) -> {
            if (isForPublishing(kind)) {
                each.put(kind, (double) count / created);
            }
        });
        return each;
    }

    private FleetResult.Idle idle() throws IOException, InterruptedException {
        progress.begin("idle");
        Map<String, Long> before = fleet.requests();
        long began = System.nanoTime();
        long pid = bench.hub().pid();
        Duration processor = ProcessStats.of(pid).processor();
        for (long left = fleetBench.idleSeconds(); left > 0; left--) {
            Thread.sleep(Duration.ofSeconds(1));
            progress.update(fleetBench.idleSeconds() - left + 1, fleetBench.idleSeconds());
        }
        Duration used = ProcessStats.of(pid).processor().minus(processor);
        double seconds = (System.nanoTime() - began) / 1e9;
        Map<String, Long> requests = since(before, fleet.requests());
        double percent = used.toNanos() / 1e7 / seconds;
        progress.end(format("%.2f %% of a processor, requests %s", percent, requests));
        return new FleetResult.Idle(seconds, percent, requests);
    }

    /** The difference between two results of {@link MeasuredFleet#requests}. */
    static Map<String, Long> since(Map<String, Long> earlier, Map<String, Long> later) {
        Map<String, Long> since = new TreeMap<>(later);
        earlier.forEach((kind, count) -> since.merge(kind, -count, Long::sum));
        since.values().removeIf(count -> count == 0);
        return since;
    }

    /** Whether a new MachineDeployment waits for such a request: not for status, Events, Leases, lists and watches. */
    static boolean isForPublishing(String kind) {
        return !kind.endsWith("/status")
                && !kind.contains("events")
                && !kind.contains("leases")
                && !kind.startsWith("list ")
                && !kind.startsWith("watch ");
    }

    private void awaitPublished(long expected) throws IOException, InterruptedException {
        await("MachineDeployments published", fleet::pending, expected);
    }

    /** Returns when nothing is left; fails after a time limit for the fleet. */
    void await(String what, LongSupplier pending, long expected) throws IOException, InterruptedException {
        long began = System.nanoTime();
        for (long left = pending.getAsLong(); left > 0; left = pending.getAsLong()) {
            bench.hub().requireAlive();
            requireTime(Duration.ofNanos(System.nanoTime() - began), what, expected - left, expected);
            progress.update(expected - left, expected);
            Thread.sleep(BETWEEN_LOOKS);
        }
    }

    /** Waits as long as the hub may take to write the statuses. */
    void awaitStatuses(long count) throws InterruptedException {
        progress.begin("waiting: statuses written");
        long all = Math.round((double) count / STATUSES_PER_SECOND) + 2;
        for (long i = 0; i < all; i++) {
            Thread.sleep(Duration.ofSeconds(1));
            progress.update(i + 1, all);
        }
        progress.end("");
    }

    private void requireTime(Duration waited, String what, long done, long all) throws IOException {
        if (waited.compareTo(LONGEST_WAIT.plus(LONGEST_WAIT_EACH.multipliedBy(fleetBench.clusters()))) > 0) {
            throw new IOException(format(
                    "only %,d of %,d %s after %d s; the hub's log is %s",
                    done, all, what, waited.toSeconds(), setup.log("")));
        }
    }

    private static Duration ownProcessor() throws IOException {
        return ProcessStats.of(ProcessHandle.current().pid()).processor();
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's own, and not a dependency
    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    /** Reads the hub's {@code /metrics}. */
    static final class HubMetricsReader {
        private HubMetricsReader() {}

        /** Number of synced worker clusters; 0 while the hub does not respond yet. */
        static long syncedWorkerClusters(HttpClient client, int port) throws InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            try {
                return synced(client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
                        .body());
            } catch (IOException notListeningYet) {
                return 0;
            }
        }

        static long synced(String metrics) {
            return metrics.lines()
                    .filter(line -> line.startsWith("osm_hub_worker_clusters{") && line.contains("state=\"synced\""))
                    .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))))
                    .sum();
        }
    }
}

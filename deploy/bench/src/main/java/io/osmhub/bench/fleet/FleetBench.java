package io.osmhub.bench.fleet;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
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

/** Measures a hub from its first start to its restart. */
final class FleetBench extends HubBench<FleetResult> {
    /**
     * Options of the benchmark.
     *
     * @param burst MachineDeployments created at once in one tenant
     * @param singles MachineDeployments created one at a time
     * @param idle how long to measure the idle hub
     * @param seats concurrent requests per worker cluster's API server, which rejects more with 429; 0 for no limit
     * @param latency of each of its responses
     */
    record Plan(
            int clusters, int machineDeployments, int burst, int singles, Duration idle, int seats, Duration latency) {}

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    // Statuses are written after the secrets, at most 20 a second.
    private static final int STATUSES_PER_SECOND = 20;

    private final Plan plan;

    FleetBench(Plan plan, BenchSettings setting) throws IOException {
        super(setting);
        this.plan = plan;
    }

    @Override
    FleetResult run() throws IOException, InterruptedException {
        addTenants(plan.clusters, plan.machineDeployments);
        fleet.limitConcurrency(plan.seats, plan.latency);
        List<String> command = command();
        FleetResult.Start firstStart = firstStart(command);
        BenchHubProcess hub = hub();
        ProcessStats afterFirst = ProcessStats.of(hub.pid());
        waitFor("statuses written", (double) plan.clusters * (plan.machineDeployments + 1) / STATUSES_PER_SECOND);
        RequestCounts before = fleet.requests();
        Percentiles singles = singles();
        FleetResult.Burst inOneTenant = burst("burst in one tenant", plan.burst, _ -> 0);
        waitFor("statuses written", (double) (plan.burst + plan.singles) / STATUSES_PER_SECOND);
        Map<String, Double> perMachineDeployment = perMachineDeployment(before);
        FleetResult.Burst inEachTenant = burst("one in each tenant at once", plan.clusters, index -> index);
        waitFor("statuses written", (double) plan.clusters * 2 / STATUSES_PER_SECOND);
        FleetResult.Idle idle = idle();
        ProcessStats rest = ProcessStats.of(hub.pid());
        FleetResult.Connections connections = new FleetResult.Connections(
                ProcessStats.connections(hub.pid(), fleet.workerPorts()),
                ProcessStats.connections(hub.pid(), Set.of(fleet.managementPort())),
                rest.threads());
        LiveHeap heap = LiveHeap.of(hub.pid());
        double stopSeconds = seconds(hub.stop());
        FleetResult.Start restart = restart(command);
        ProcessStats afterRestart = ProcessStats.of(hub().pid());
        hub().stop();
        return new FleetResult(
                now(),
                machine,
                command,
                plan.clusters,
                plan.machineDeployments,
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
                singles,
                inOneTenant,
                inEachTenant,
                idle,
                stopSeconds,
                heap.largest());
    }

    /** The program as in an image, including the AOT cache. */
    private List<String> command() throws IOException, InterruptedException {
        Path home = home();
        Path program = DistributionLayout.copyTo(home, checkout);
        progress.begin("AOT cache");
        try (Training training = new Training(program, checkout, Files.createDirectory(folder.resolve("training")))) {
            training.makeCache(home.resolve("lib/hub.aot"));
        }
        progress.end("");
        return setup.command(program);
    }

    private FleetResult.Start firstStart(List<String> command) throws IOException, InterruptedException {
        long all = (long) plan.clusters * plan.machineDeployments;
        progress.begin("first start");
        BenchHubProcess hub = start(command, "", "hub.log");
        Duration ready = hub.awaitReady(setup.healthPort());
        awaitPublished(all);
        Duration synced = hub.sinceStart();
        progress.end(
                format("ready after %.2f s, %,d pairs of secrets after %.2f s", seconds(ready), all, seconds(synced)));
        return new FleetResult.Start(
                seconds(ready),
                seconds(synced),
                seconds(ProcessStats.of(hub.pid()).processor()));
    }

    private FleetResult.Start restart(List<String> command) throws IOException, InterruptedException {
        progress.begin("restart");
        BenchHubProcess hub = start(command, "", "hub-restarted.log");
        Duration ready = hub.awaitReady(setup.healthPort());
        try (HttpClient client = HttpClient.newHttpClient()) {
            long synced = 0;
            while (synced < plan.clusters) {
                requireTime(hub.sinceStart(), "clusters in sync", synced, plan.clusters);
                Thread.sleep(BETWEEN_LOOKS.multipliedBy(10));
                synced = HubMetricsReader.syncedWorkerClusters(client, setup.metricsPort());
                progress.update(synced, plan.clusters);
            }
        }
        Duration all = hub.sinceStart();
        progress.end(format(
                "ready after %.2f s, %,d clusters in sync after %.2f s", seconds(ready), plan.clusters, seconds(all)));
        return new FleetResult.Start(
                seconds(ready), seconds(all), seconds(ProcessStats.of(hub.pid()).processor()));
    }

    private Percentiles singles() throws IOException, InterruptedException {
        progress.begin("one at a time");
        List<Duration> latencies = new ArrayList<>();
        for (int i = 0; i < plan.singles; i++) {
            fleet.startMeasuring();
            // Spread over the fleet, never twice in a row in one cluster unless there is only one.
            fleet.create((int) ((long) i * 7919 % plan.clusters), "single-" + i);
            awaitPublished(1);
            latencies.addAll(fleet.latencies());
            progress.update(i + 1L, plan.singles);
        }
        Percentiles percentiles = Percentiles.of(latencies);
        progress.end(percentiles.toString());
        return percentiles;
    }

    private FleetResult.Burst burst(String name, int count, IntUnaryOperator tenantOf)
            throws IOException, InterruptedException {
        progress.begin(name);
        fleet.startMeasuring();
        long began = System.nanoTime();
        for (int i = 0; i < count; i++) {
            fleet.create(tenantOf.applyAsInt(i), name.replace(' ', '-') + "-" + i);
        }
        awaitPublished(count);
        double all = (System.nanoTime() - began) / 1e9;
        Collection<Duration> latencies = fleet.latencies();
        FleetResult.Burst burst = new FleetResult.Burst(count, Percentiles.of(latencies), all);
        progress.end(format("%s, all after %.2f s", burst.latency(), all));
        return burst;
    }

    private Map<String, Double> perMachineDeployment(RequestCounts before) {
        int created = plan.singles + plan.burst;
        Map<String, Double> each = new TreeMap<>();
        fleet.requests().since(before).forEach((kind, count) -> {
            if (RequestCounts.isForPublishing(kind)) {
                each.put(kind, (double) count / created);
            }
        });
        return each;
    }

    private FleetResult.Idle idle() throws IOException, InterruptedException {
        progress.begin("idle");
        RequestCounts before = fleet.requests();
        long began = System.nanoTime();
        long pid = hub().pid();
        Duration processor = ProcessStats.of(pid).processor();
        for (long left = plan.idle.toSeconds(); left > 0; left--) {
            Thread.sleep(Duration.ofSeconds(1));
            progress.update(plan.idle.toSeconds() - left + 1, plan.idle.toSeconds());
        }
        Duration used = ProcessStats.of(pid).processor().minus(processor);
        double seconds = (System.nanoTime() - began) / 1e9;
        Map<String, Long> requests = fleet.requests().since(before);
        double percent = used.toNanos() / 1e7 / seconds;
        progress.end(format("%.2f %% of a processor, requests %s", percent, requests));
        return new FleetResult.Idle(seconds, percent, requests);
    }

    private void awaitPublished(long expected) throws IOException, InterruptedException {
        long began = System.nanoTime();
        for (long left = fleet.pending(); left > 0; left = fleet.pending()) {
            hub().requireAlive();
            requireTime(
                    Duration.ofNanos(System.nanoTime() - began),
                    "MachineDeployments published",
                    expected - left,
                    expected);
            progress.update(expected - left, expected);
            Thread.sleep(BETWEEN_LOOKS);
        }
    }

    private void waitFor(String what, double seconds) throws InterruptedException {
        progress.begin("waiting: " + what);
        long all = Math.round(seconds) + 2;
        for (long i = 0; i < all; i++) {
            Thread.sleep(Duration.ofSeconds(1));
            progress.update(i + 1, all);
        }
        progress.end("");
    }

    private void requireTime(Duration waited, String what, long done, long all) throws IOException {
        if (waited.compareTo(LONGEST_WAIT) > 0) {
            throw new IOException(format(
                    "only %,d of %,d %s after %d s; the hub's log is %s", done, all, what, waited.toSeconds(), folder));
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's own, and not a dependency
    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}

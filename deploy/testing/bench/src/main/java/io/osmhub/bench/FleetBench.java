package io.osmhub.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hub bench fleet}: measures a hub from its first start to its restart. */
@Command(
        name = "fleet",
        description =
                "Measure one hub with simulated clusters in another process: start, memory, connections, requests and"
                        + " the time from a MachineDeployment to its secrets.",
        mixinStandardHelpOptions = true)
final class FleetBench extends HubBench<FleetResult> {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    // Statuses are written after the secrets, at most 80 a second.
    private static final int STATUSES_PER_SECOND = 80;

    private static final int LARGEST = 10_000;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of worker clusters (${DEFAULT-VALUE}).")
    private int clusters;

    @Option(
            names = "--mds",
            paramLabel = "M",
            defaultValue = "3",
            description = "Existing MachineDeployments per worker cluster (${DEFAULT-VALUE}).")
    private int machineDeployments;

    @Option(
            names = "--burst",
            paramLabel = "B",
            defaultValue = "200",
            description = "MachineDeployments to create at once in one tenant (${DEFAULT-VALUE}).")
    private int burst;

    @Option(
            names = "--singles",
            paramLabel = "S",
            defaultValue = "50",
            description = "MachineDeployments to create one at a time (${DEFAULT-VALUE}).")
    private int singles;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long to measure an idle hub's processor time (${DEFAULT-VALUE}).")
    private int idleSeconds;

    @Option(
            names = "--seats",
            paramLabel = "REQUESTS",
            defaultValue = "0",
            description = "Concurrent requests per worker cluster; more are rejected with 429 (0: no limit).")
    private int seats;

    @Option(
            names = "--latency",
            paramLabel = "MILLISECONDS",
            defaultValue = "0",
            description = "Response delay of worker clusters (${DEFAULT-VALUE}).")
    private int latency;

    @Option(names = "--check", description = "Exit with 1 if a target of docs/performance.md is missed.")
    private boolean check;

    @Override
    void checkOptions() {
        requireRange("--clusters", clusters, 1, LARGEST);
        requireRange("--mds", machineDeployments, 1, LARGEST);
        requireRange("--burst", burst, 1, LARGEST);
        requireRange("--singles", singles, 1, LARGEST);
        requireRange("--idle", idleSeconds, 1, LARGEST);
        requireRange("--seats", seats, 0, LARGEST);
        requireRange("--latency", latency, 0, LARGEST);
    }

    @Override
    FleetResult run() throws IOException, InterruptedException {
        addTenants(clusters, machineDeployments);
        fleet.limitConcurrency(seats, Duration.ofMillis(latency));
        List<String> command = commandWithCache();
        FleetResult.Start firstStart = firstStart(command);
        BenchHubProcess hub = hub();
        ProcessStats afterFirst = ProcessStats.of(hub.pid());
        waitFor("statuses written", (double) clusters * (machineDeployments + 1) / STATUSES_PER_SECOND);
        Map<String, Long> before = fleet.requests();
        Percentiles oneAtATime = singles();
        FleetResult.Burst inOneTenant = burst("burst in one tenant", burst, _ -> 0);
        waitFor("statuses written", (double) (burst + singles) / STATUSES_PER_SECOND);
        Map<String, Double> perMachineDeployment = perMachineDeployment(before);
        FleetResult.Burst inEachTenant = burst("one in each tenant at once", clusters, index -> index);
        waitFor("statuses written", (double) clusters * 2 / STATUSES_PER_SECOND);
        FleetResult.Idle idle = idle();
        ProcessStats rest = ProcessStats.of(hub.pid());
        FleetResult.Connections connections = new FleetResult.Connections(
                ProcessStats.connections(hub.pid(), fleet.workerPorts()),
                ProcessStats.connections(hub.pid(), Set.of(fleet.management().port())),
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
                clusters,
                machineDeployments,
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
                heap.largest());
    }

    private FleetResult.Start firstStart(List<String> command) throws IOException, InterruptedException {
        long all = (long) clusters * machineDeployments;
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
            while (synced < clusters) {
                requireTime(hub.sinceStart(), "clusters in sync", synced, clusters);
                Thread.sleep(BETWEEN_LOOKS.multipliedBy(10));
                synced = HubMetricsReader.syncedWorkerClusters(client, setup.metricsPort());
                progress.update(synced, clusters);
            }
        }
        Duration all = hub.sinceStart();
        progress.end(format(
                "ready after %.2f s, %,d clusters in sync after %.2f s", seconds(ready), clusters, seconds(all)));
        return new FleetResult.Start(
                seconds(ready), seconds(all), seconds(ProcessStats.of(hub.pid()).processor()));
    }

    private Percentiles singles() throws IOException, InterruptedException {
        progress.begin("one at a time");
        List<Duration> latencies = new ArrayList<>();
        for (int i = 0; i < singles; i++) {
            fleet.startMeasuring();
            // Spread over the fleet, never twice in a row in one cluster unless there is only one.
            fleet.create((int) ((long) i * 7919 % clusters), "single-" + i);
            awaitPublished(1);
            latencies.addAll(fleet.latencies());
            progress.update(i + 1L, singles);
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
        FleetResult.Burst result = new FleetResult.Burst(count, Percentiles.of(latencies), all);
        progress.end(format("%s, all after %.2f s", result.latency(), all));
        return result;
    }

    private Map<String, Double> perMachineDeployment(Map<String, Long> before) {
        int created = singles + burst;
        Map<String, Double> each = new TreeMap<>();
        BenchFleet.since(before, fleet.requests()).forEach((kind, count) -> {
            if (BenchFleet.isForPublishing(kind)) {
                each.put(kind, (double) count / created);
            }
        });
        return each;
    }

    private FleetResult.Idle idle() throws IOException, InterruptedException {
        progress.begin("idle");
        Map<String, Long> before = fleet.requests();
        long began = System.nanoTime();
        long pid = hub().pid();
        Duration processor = ProcessStats.of(pid).processor();
        for (long left = idleSeconds; left > 0; left--) {
            Thread.sleep(Duration.ofSeconds(1));
            progress.update(idleSeconds - left + 1, idleSeconds);
        }
        Duration used = ProcessStats.of(pid).processor().minus(processor);
        double seconds = (System.nanoTime() - began) / 1e9;
        Map<String, Long> requests = BenchFleet.since(before, fleet.requests());
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

    @Override
    boolean isMissed(FleetResult result) {
        return check && !PerformanceTarget.targetsFor(result).stream().allMatch(promise -> promise.isMet(result));
    }

    @Override
    void print(FleetResult result) {
        System.out.println(result.machine());
        System.out.println();
        for (PerformanceTarget promise : PerformanceTarget.targetsFor(result)) {
            System.out.println(promise.formatLine(result));
        }
        System.out.println();
        FleetResult.Memory memory = result.memory();
        printLine(
                "memory         first start %s, idle %s (PSS %s), after restart %s, peak %s; live heap %s in %,d objects",
                mebibytes(memory.residentAfterFirstStart()),
                mebibytes(memory.residentAtRest()),
                mebibytes(memory.proportionalAtRest()),
                mebibytes(memory.residentAfterRestart()),
                mebibytes(memory.peakResident()),
                mebibytes(memory.liveHeap()),
                memory.liveObjects());
        printLine(
                "connections    %,d to worker clusters, %d to the management cluster; %d threads",
                result.connections().toWorkerClusters(),
                result.connections().toManagementCluster(),
                result.connections().threads());
        printLine(
                "processor      %.1f s until the end of the first start, %.1f s for the restart",
                result.firstStart().processorSeconds(), result.restart().processorSeconds());
        printLine("singles        %s", result.singles());
        printLine("burst          %s", result.burstInOneTenant().latency());
        printLine("one in each    %s", result.oneInEachTenant().latency());
        printLine("stop           %.2f s", result.stopSeconds());
        printLine("requests for a new MachineDeployment");
        for (Map.Entry<String, Double> each :
                result.requestsPerMachineDeployment().entrySet()) {
            printLine("               %6.2f  %s", each.getValue(), each.getKey());
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's own, and not a dependency
    private static void printLine(String format, Object... arguments) {
        System.out.println(String.format(Locale.ROOT, format, arguments));
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%,d MiB", bytes >> 20);
    }
}

package io.osmhub.bench;

import io.osmhub.bench.FleetMeasurement.FleetOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./hub bench fleet}: measures a hub from its first start to its restart. */
@Command(
        name = "fleet",
        description =
                "Measure one hub with simulated clusters in another process: start, memory, connections, requests and"
                        + " the time from a MachineDeployment to its secrets.",
        mixinStandardHelpOptions = true)
final class FleetBench extends HubBench<FleetResult> {
    @Mixin
    private final FleetOptions options = new FleetOptions(1000, 3);

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

    @Override
    void checkOptions() {
        options.check(this, FleetOptions.LARGEST);
        requireRange("--seats", seats, 0, FleetOptions.LARGEST);
        requireRange("--latency", latency, 0, FleetOptions.LARGEST);
    }

    @Override
    FleetResult run() throws IOException, InterruptedException {
        addTenants(fleet, options.clusters, options.machineDeployments);
        fleet.limitConcurrency(seats, Duration.ofMillis(latency));
        return new FleetMeasurement(this, options, fleet, setup, programWithCache()).run();
    }

    @Override
    boolean isMissed(FleetResult result) {
        return options.check && !PerformanceTarget.areMet(result);
    }

    @Override
    void print(FleetResult result) {
        System.out.println(result.machine());
        System.out.println();
        printTargets(result);
        System.out.println();
        printDetails(result);
    }

    private static void printTargets(FleetResult result) {
        for (PerformanceTarget promise : PerformanceTarget.targetsFor(result)) {
            System.out.println(promise.formatLine(result));
        }
    }

    /** Prints what has no target. */
    static void printDetails(FleetResult result) {
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
                "processor      %.1f s until the end of the first start, %.1f s for the restart; the benchmark %.1f s and %.1f s",
                result.firstStart().processorSeconds(),
                result.restart().processorSeconds(),
                result.firstStart().benchmarkSeconds(),
                result.restart().benchmarkSeconds());
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

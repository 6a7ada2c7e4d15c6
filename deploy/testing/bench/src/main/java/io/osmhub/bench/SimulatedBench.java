package io.osmhub.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Measures a hub with simulated clusters from its first start to its restart. */
final class SimulatedBench extends HubBench<FleetResult> {
    SimulatedBench(FleetBench options) {
        super("fleet", options);
    }

    @Override
    FleetResult run() throws IOException, InterruptedException {
        addTenants(fleet, options.clusters(), options.machineDeployments());
        fleet.limitConcurrency(options.seats(), Duration.ofMillis(options.latency()));
        return new FleetMeasurement(this, fleet, setup, programWithCache()).run();
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
        if (result.rotations() != null) {
            result.rotations().lines().forEach(System.out::println);
        }
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

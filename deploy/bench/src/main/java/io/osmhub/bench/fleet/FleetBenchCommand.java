package io.osmhub.bench.fleet;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hub bench fleet}. */
@Command(
        name = "fleet",
        description =
                "Measure one hub with simulated clusters in another process: start, memory, connections, requests and"
                        + " the time from a MachineDeployment to its secrets.",
        mixinStandardHelpOptions = true)
public final class FleetBenchCommand extends HubBenchCommand<FleetResult> {
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

    /** The command; {@code machine} describes the machine. */
    public FleetBenchCommand(Supplier<String> machine) {
        super(machine);
    }

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
    HubBench<FleetResult> bench(HubBench.BenchSettings setting) throws IOException {
        FleetBench.Plan plan = new FleetBench.Plan(
                clusters,
                machineDeployments,
                burst,
                singles,
                Duration.ofSeconds(idleSeconds),
                seats,
                Duration.ofMillis(latency));
        return new FleetBench(plan, setting);
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

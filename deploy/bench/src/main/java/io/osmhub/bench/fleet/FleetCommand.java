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
                "One hub in a process of its own, and simulated clusters in another: start, memory, connections, requests and"
                        + " the time from a MachineDeployment to its secrets.",
        mixinStandardHelpOptions = true)
public final class FleetCommand extends HubBenchCommand<FleetResult> {
    private static final int LARGEST = 10_000;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Worker clusters (${DEFAULT-VALUE}).")
    private int clusters;

    @Option(
            names = "--mds",
            paramLabel = "M",
            defaultValue = "3",
            description = "MachineDeployments in each when the hub comes (${DEFAULT-VALUE}).")
    private int machineDeployments;

    @Option(
            names = "--burst",
            paramLabel = "B",
            defaultValue = "200",
            description = "MachineDeployments at once in one tenant (${DEFAULT-VALUE}).")
    private int burst;

    @Option(
            names = "--singles",
            paramLabel = "S",
            defaultValue = "50",
            description = "MachineDeployments one after the other (${DEFAULT-VALUE}).")
    private int singles;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long to count an idle hub's processor time (${DEFAULT-VALUE}).")
    private int idleSeconds;

    @Option(
            names = "--seats",
            paramLabel = "REQUESTS",
            defaultValue = "0",
            description = "Requests that a worker cluster takes at once; it answers more with 429 (0: any number).")
    private int seats;

    @Option(
            names = "--latency",
            paramLabel = "MILLISECONDS",
            defaultValue = "0",
            description = "How much later worker clusters answer (${DEFAULT-VALUE}).")
    private int latency;

    @Option(names = "--check", description = "Exit code 1 when a promise of docs/performance.md is missed.")
    private boolean check;

    /** The command; {@code machine} describes what figures were measured on. */
    public FleetCommand(Supplier<String> machine) {
        super(machine);
    }

    @Override
    void checkOptions() {
        within("--clusters", clusters, 1, LARGEST);
        within("--mds", machineDeployments, 1, LARGEST);
        within("--burst", burst, 1, LARGEST);
        within("--singles", singles, 1, LARGEST);
        within("--idle", idleSeconds, 1, LARGEST);
        within("--seats", seats, 0, LARGEST);
        within("--latency", latency, 0, LARGEST);
    }

    @Override
    HubBench<FleetResult> bench(HubBench.Setting setting) throws IOException {
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
        return check && !Promise.about(result).stream().allMatch(promise -> promise.isKept(result));
    }

    @Override
    void print(FleetResult result) {
        System.out.println(result.machine());
        System.out.println();
        for (Promise promise : Promise.about(result)) {
            System.out.println(promise.line(result));
        }
        System.out.println();
        FleetResult.Memory memory = result.memory();
        say(
                "memory         first start %s, at rest %s (PSS %s), after restart %s, peak %s; live heap %s in %,d objects",
                mebibytes(memory.residentAfterFirstStart()),
                mebibytes(memory.residentAtRest()),
                mebibytes(memory.proportionalAtRest()),
                mebibytes(memory.residentAfterRestart()),
                mebibytes(memory.peakResident()),
                mebibytes(memory.liveHeap()),
                memory.liveObjects());
        say(
                "connections    %,d to worker clusters, %d to the management cluster; %d threads",
                result.connections().toWorkerClusters(),
                result.connections().toManagementCluster(),
                result.connections().threads());
        say(
                "processor      %.1f s until the first start was over, %.1f s for the restart",
                result.firstStart().processorSeconds(), result.restart().processorSeconds());
        say("singles        %s", result.singles());
        say("burst          %s", result.burstInOneTenant().latency());
        say("one in each    %s", result.oneInEachTenant().latency());
        say("stop           %.2f s", result.stopSeconds());
        say("requests for a new MachineDeployment");
        for (Map.Entry<String, Double> each :
                result.requestsPerMachineDeployment().entrySet()) {
            say("               %6.2f  %s", each.getValue(), each.getKey());
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is Error Prone's own, and not a dependency
    private static void say(String format, Object... arguments) {
        System.out.println(String.format(Locale.ROOT, format, arguments));
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%,d MiB", bytes >> 20);
    }
}

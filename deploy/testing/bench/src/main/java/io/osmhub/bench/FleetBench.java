package io.osmhub.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./hub bench fleet}: measures one hub with simulated clusters, with real ones beside them, or with faulty tenants. */
@Command(
        name = "fleet",
        description = {
            "Measure one hub with simulated clusters in another process: start, memory, connections, requests and"
                    + " the time from a MachineDeployment to its secrets.",
            "With --real, then with as many kube-apiservers, and a burst while API Priority and Fairness rejects requests.",
            "With --mode, measure the memory of a process that serves one simulated cluster.",
            "With --fault, measure how long healthy tenants wait for their secrets while other tenants are faulty."
        },
        mixinStandardHelpOptions = true)
final class FleetBench implements Callable<Integer> {
    private static final String ALL = "all";
    private static final int LARGEST = 10_000;
    /** A kube-apiserver takes about 300 MiB. */
    private static final int MOST_REAL_CLUSTERS = 30;

    private static final int FEWEST_CLUSTERS_WITH_FAULTS = 3;
    private static final int MOST_CLUSTERS_WITH_FAULTS = 1000;
    private static final int LONGEST_SECONDS = 3600;

    @Option(
            names = "--real",
            description = "Measure with simulated clusters, then with as many kube-apiservers, and compare.")
    boolean real;

    @Option(
            names = "--fault",
            paramLabel = "NAME",
            description = "Measure healthy tenants with this fault in others, or with each (all); may be repeated.")
    private List<String> faults = new ArrayList<>();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "Measure hub controller, hub run --single or hub webhook: ${COMPLETION-CANDIDATES}.")
    OneClusterBench.@Nullable Mode mode;

    @Option(
            names = "--program",
            paramLabel = "FILE",
            description = "bin/hub of an unpacked distribution to measure with --mode, instead of this checkout's.")
    @Nullable Path program;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            description =
                    "Number of worker clusters (1000; with --real 8; with --fault 33, up to 75 %% of them faulty).")
    private @Nullable Integer clusters;

    @Option(
            names = "--mds",
            paramLabel = "M",
            description = "Existing MachineDeployments per worker cluster (3; with --real 25, with --mode 300).")
    private @Nullable Integer machineDeployments;

    @Option(
            names = "--burst",
            paramLabel = "B",
            description = "MachineDeployments to create at once in one tenant (200).")
    private @Nullable Integer burst;

    @Option(names = "--singles", paramLabel = "S", description = "MachineDeployments to create one at a time (50).")
    private @Nullable Integer singles;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            description = "How long to measure an idle hub's processor time (30).")
    private @Nullable Integer idleSeconds;

    @Option(
            names = "--seats",
            paramLabel = "REQUESTS",
            description = "Concurrent requests per simulated cluster; more are rejected with 429 (0: no limit).")
    private @Nullable Integer seats;

    @Option(names = "--latency", paramLabel = "MILLISECONDS", description = "Response delay of simulated clusters (0).")
    private @Nullable Integer latency;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description =
                    "How long to measure without and with each fault; a management outage lasts four times as long (30).")
    private @Nullable Integer seconds;

    @Option(
            names = "--rotate",
            description = "Before the restart, also change the profile and extensions of all MachineDeployments, and"
                    + " preview a change. The hub then restarts with the extensions.")
    boolean rotate;

    @Option(names = "--check", description = "Exit with 1 if a target of docs/performance.md is missed.")
    boolean check;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all results to this file.")
    @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        HubBench<?> bench = mode != null
                ? new OneClusterBench(mode, this)
                : !faults.isEmpty() ? new FaultsBench(this) : real ? new RealBench(this) : new SimulatedBench(this);
        return bench.call();
    }

    private void checkOptions() {
        boolean faulty = !faults.isEmpty();
        if (rotate && (mode != null || faulty || real)) {
            throw invalidOption("--rotate excludes --mode, --real and --fault");
        }
        if (mode != null) {
            if (faulty || real) {
                throw invalidOption("--mode excludes --real and --fault");
            }
            requireUnset("--mode", "--clusters", clusters);
            requireUnset("--mode", "--burst", burst);
            requireUnset("--mode", "--singles", singles);
            requireUnset("--mode", "--seats", seats);
            requireUnset("--mode", "--latency", latency);
        } else if (program != null) {
            throw invalidOption("--program requires --mode");
        }
        if (faulty && real) {
            throw invalidOption("--real and --fault exclude each other");
        }
        if (faulty) {
            requireUnset("--fault", "--mds", machineDeployments);
            requireUnset("--fault", "--burst", burst);
            requireUnset("--fault", "--singles", singles);
            requireUnset("--fault", "--idle", idleSeconds);
        } else if (seconds != null) {
            throw invalidOption("--seconds requires --fault");
        }
        if (faulty || real) {
            requireUnset(faulty ? "--fault" : "--real", "--seats", seats);
            requireUnset(faulty ? "--fault" : "--real", "--latency", latency);
        }
        requireRange(
                "--clusters",
                clusters(),
                faulty ? FEWEST_CLUSTERS_WITH_FAULTS : 1,
                faulty ? MOST_CLUSTERS_WITH_FAULTS : real ? MOST_REAL_CLUSTERS : LARGEST);
        requireRange("--seats", seats(), 0, LARGEST);
        requireRange("--latency", latency(), 0, LARGEST);
        requireRange("--seconds", seconds(), 1, LONGEST_SECONDS);
        Map.of("--mds", machineDeployments(), "--burst", burst(), "--singles", singles(), "--idle", idleSeconds())
                .forEach((option, value) -> requireRange(option, value, 1, LARGEST));
        List<String> names = FaultScenario.ALL.stream().map(FaultScenario::name).toList();
        for (String fault : new TreeSet<>(faults)) {
            if (!fault.equals(ALL) && !names.contains(fault)) {
                throw invalidOption(
                        "--fault: unknown fault " + fault + ", expected all or one of " + String.join(", ", names));
            }
        }
    }

    private void requireRange(String option, int value, int least, int largest) {
        if (value < least || value > largest) {
            throw invalidOption(option + ": expected " + least + " to " + largest + ", got " + value);
        }
    }

    private void requireUnset(String mode, String option, @Nullable Integer value) {
        if (value != null) {
            throw invalidOption(option + " has no effect with " + mode);
        }
    }

    private ParameterException invalidOption(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** The faults to measure, in the order of their definition; empty without {@code --fault}. */
    List<FaultScenario> faults() {
        return FaultScenario.ALL.stream()
                .filter(scenario -> faults.contains(ALL) || faults.contains(scenario.name()))
                .toList();
    }

    int clusters() {
        return valueOr(clusters, !faults.isEmpty() ? 33 : real ? 8 : 1000);
    }

    int machineDeployments() {
        return valueOr(machineDeployments, mode != null ? 300 : real ? 25 : 3);
    }

    int burst() {
        return valueOr(burst, 200);
    }

    int singles() {
        return valueOr(singles, 50);
    }

    int idleSeconds() {
        return valueOr(idleSeconds, 30);
    }

    /** 0 without a limit. */
    int seats() {
        return valueOr(seats, 0);
    }

    /** In milliseconds. */
    int latency() {
        return valueOr(latency, 0);
    }

    int seconds() {
        return valueOr(seconds, 30);
    }

    private static int valueOr(@Nullable Integer value, int otherwise) {
        return value == null ? otherwise : value;
    }
}

package io.osmhub.bench.fleet;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hub bench faults}. */
@Command(
        name = "faults",
        description = "Measure how long healthy tenants wait for their secrets while other tenants are faulty.",
        mixinStandardHelpOptions = true)
public final class FaultsBenchCommand extends HubBenchCommand<FaultsResult> {
    private static final int FEWEST = 3;
    private static final int MOST = 1000;
    private static final int LONGEST = 3600;
    /** docs/performance.md, "Faults". */
    private static final double LARGEST_RATIO = 1.5;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "33",
            description = "Number of worker clusters, up to 75 %% of them faulty (${DEFAULT-VALUE}).")
    private int clusters;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "30",
            description =
                    "How long to measure without and with each fault; a management outage lasts four times as long"
                            + " (${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--fault", paramLabel = "NAME", description = "Measure only this fault; may be repeated.")
    private Set<String> faults = new TreeSet<>();

    @Option(
            names = "--check",
            description =
                    "Exit with 1 if a secret is missing or wrong, a fault is not detected, a tenant does not recover, or"
                            + " the p99 of healthy tenants is more than 1.5 times the value without the fault.")
    private boolean check;

    /** The command; {@code machine} describes the machine. */
    public FaultsBenchCommand(Supplier<String> machine) {
        super(machine);
    }

    @Override
    void checkOptions() {
        requireRange("--clusters", clusters, FEWEST, MOST);
        requireRange("--seconds", seconds, 1, LONGEST);
        List<String> names = FaultScenario.ALL.stream().map(FaultScenario::name).toList();
        for (String fault : faults) {
            if (!names.contains(fault)) {
                throw invalidOption(
                        "--fault: unknown fault " + fault + ", expected one of " + String.join(", ", names));
            }
        }
    }

    @Override
    HubBench<FaultsResult> bench(HubBench.BenchSettings setting) throws IOException {
        return new FaultsBench(new FaultsBench.Plan(clusters, Duration.ofSeconds(seconds), faults), setting);
    }

    @Override
    void print(FaultsResult result) {
        System.out.println(result.machine());
        System.out.println();
        result.table().forEach(System.out::println);
    }

    @Override
    boolean isMissed(FaultsResult result) {
        return check && !result.rows().stream().allMatch(row -> row.isKept(LARGEST_RATIO));
    }
}

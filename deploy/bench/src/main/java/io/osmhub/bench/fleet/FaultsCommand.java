package io.osmhub.bench.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.osmhub.demo.screen.ControllingTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./hub bench faults}. */
@Command(
        name = "faults",
        description = "Measure how long healthy tenants wait for their secrets while other tenants have a fault.",
        mixinStandardHelpOptions = true)
public final class FaultsCommand implements Callable<Integer> {
    private static final int MISSED = 1;
    private static final int FEWEST = 3;
    private static final int MOST = 1000;
    /** docs/performance.md, "Faults". */
    private static final double LARGEST_RATIO = 1.5;

    private static final Path TARGET = Path.of("target");

    @Option(
            names = "--clusters",
            paramLabel = "N",
            defaultValue = "33",
            description = "Worker clusters, up to 75 % of them with a fault (${DEFAULT-VALUE}).")
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

    @Option(names = "--json", paramLabel = "FILE", description = "Where to write all figures.")
    private @Nullable Path json;

    @Option(
            names = "--check",
            description =
                    "Exit code 1 when a secret is missing or wrong, a fault is not detected, a tenant does not recover, or"
                            + " the p99 of healthy tenants is more than 1.5 times the value without the fault.")
    private boolean check;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Supplier<String> machine;

    /** The command; {@code machine} describes what figures were measured on. */
    public FaultsCommand(Supplier<String> machine) {
        this.machine = machine;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (clusters < FEWEST || clusters > MOST) {
            throw new ParameterException(
                    spec.commandLine(), "--clusters: expected " + FEWEST + " to " + MOST + ", got " + clusters);
        }
        if (seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds: expected at least 1, got " + seconds);
        }
        List<String> names = FaultScenario.ALL.stream().map(FaultScenario::name).toList();
        for (String fault : faults) {
            if (!names.contains(fault)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--fault: unknown fault " + fault + ", expected one of " + String.join(", ", names));
            }
        }
        Path checkout = Path.of(System.getProperty("osmhub.root", "."));
        Path folder = Files.createTempDirectory(Files.createDirectories(checkout.resolve(TARGET)), "faults-");
        ProgressBar progress = new ProgressBar(System.err, ControllingTerminal.showsOutput(System.getenv()));
        FaultsBench.Plan plan = new FaultsBench.Plan(clusters, Duration.ofSeconds(seconds), faults);
        FaultsResult result;
        try (FaultsBench bench = new FaultsBench(plan, machine.get(), progress, checkout, folder)) {
            // A benchmark that is interrupted takes its hub with it.
            Runtime.getRuntime().addShutdownHook(new Thread(bench::killHub));
            result = bench.run();
        }
        if (json != null) {
            Files.write(
                    json,
                    new ObjectMapper()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsBytes(result));
        }
        System.out.println(result.machine());
        System.out.println();
        result.table().forEach(System.out::println);
        return check && !result.rows().stream().allMatch(row -> row.isKept(LARGEST_RATIO)) ? MISSED : 0;
    }
}

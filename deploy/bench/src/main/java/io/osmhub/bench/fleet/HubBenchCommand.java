package io.osmhub.bench.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.osmhub.demo.screen.ControllingTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that runs a {@link HubBench}.
 *
 * @param <R> result
 */
abstract class HubBenchCommand<R> implements Callable<Integer> {
    private static final int MISSED = 1;
    private static final Path TARGET = Path.of("target");

    @Option(names = "--json", paramLabel = "FILE", description = "Write all results to this file.")
    private @Nullable Path json;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Supplier<String> machine;

    /** {@code machine} describes the machine. */
    HubBenchCommand(Supplier<String> machine) {
        this.machine = machine;
    }

    /** Prepares the run. */
    abstract HubBench<R> bench(HubBench.BenchSettings setting) throws IOException;

    abstract void checkOptions();

    abstract void print(R result);

    /** Whether to exit with 1 because of a missed target. */
    abstract boolean isMissed(R result);

    @Override
    public final Integer call() throws IOException, InterruptedException {
        checkOptions();
        Path checkout = Path.of(System.getProperty("osmhub.root", "."));
        Path folder = Files.createTempDirectory(Files.createDirectories(checkout.resolve(TARGET)), spec.name() + "-");
        ProgressBar progress = new ProgressBar(System.err, ControllingTerminal.showsOutput(System.getenv()));
        R result;
        try (HubBench<R> bench = bench(new HubBench.BenchSettings(machine.get(), progress, checkout, folder))) {
            // An interrupted benchmark kills its hub.
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
        print(result);
        return isMissed(result) ? MISSED : 0;
    }

    void requireRange(String option, int value, int least, int largest) {
        if (value < least || value > largest) {
            throw invalidOption(option + ": expected " + least + " to " + largest + ", got " + value);
        }
    }

    ParameterException invalidOption(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}

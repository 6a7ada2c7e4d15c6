package io.osmhub.workbench;

import io.osmhub.core.fuzz.FuzzFailure;
import io.osmhub.core.fuzz.FuzzInput;
import io.osmhub.core.fuzz.FuzzReport;
import io.osmhub.core.fuzz.Fuzzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./hub fuzz}. */
@Command(
        name = "fuzz",
        description = {
            "Test the parsers and the renderer with random and mutated templates, profiles, MachineDeployments, settings, flags,"
                    + " stored configurations, YAML, JSON and TOML.",
            "",
            "A case fails on an undeclared exception, if it exceeds the limits of processor time or memory, if an error"
                    + " also has output, or if a message or a stored object contains a credential.",
            "",
            "The same seed generates the same cases. Failing cases are written to files for --replay.",
        },
        footer = {"", "Exit codes: 0 no case failed, 1 a case failed, 2 unusable arguments."},
        mixinStandardHelpOptions = true)
final class FuzzCommand implements Callable<Integer> {
    private static final long USUAL_CASES = 100_000;
    private static final Duration NO_LIMIT = Duration.ofDays(365);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(names = "--cases", paramLabel = "N", description = "Number of cases (default: 100000 without --seconds).")
    private @Nullable Long cases;

    @Option(names = "--seconds", paramLabel = "N", description = "Run for this time.")
    private @Nullable Long seconds;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the cases (default: random, printed).")
    private @Nullable Long seed;

    @Option(names = "--first", paramLabel = "N", description = "Start with the case of this number.")
    private long first;

    @Option(names = "--replay", paramLabel = "FILE", description = "Run only the case of this file.")
    private @Nullable Path replay;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder for failing cases (default: target/fuzz of the checkout).")
    private @Nullable Path out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (replay != null) {
            return replay(replay);
        }
        if ((cases != null && cases < 1) || (seconds != null && seconds < 1) || first < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--cases and --seconds must be greater than 0, --first at least 0");
        }
        long chosen = seed != null ? seed : ThreadLocalRandom.current().nextLong(1_000_000_000);
        System.out.println("seed " + chosen);
        long most = Objects.requireNonNullElse(cases, seconds == null ? USUAL_CASES : Long.MAX_VALUE);
        Duration time = seconds == null ? NO_LIMIT : Duration.ofSeconds(seconds);
        FuzzReport report = new Fuzzer()
                .run(new Fuzzer.Plan(chosen, first, most, time), ran -> System.err.println("  " + ran + " cases"));
        print(report);
        for (FuzzFailure failure : report.failures()) {
            explain(failure, write(failure, chosen));
        }
        return report.failures().isEmpty() ? 0 : 1;
    }

    private int replay(Path file) throws IOException, InterruptedException {
        if (!Files.isRegularFile(file)) {
            throw new ParameterException(spec.commandLine(), "--replay " + file + ": file not found");
        }
        FuzzInput input;
        try {
            input = FuzzInput.fromJson(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--replay " + file + ": " + e.getMessage());
        }
        FuzzReport report = new Fuzzer().replay(input);
        print(report);
        report.failures().forEach(failure -> explain(failure, file));
        return report.failures().isEmpty() ? 0 : 1;
    }

    private static void print(FuzzReport report) {
        System.out.printf(
                "%-20s %10s %10s %10s %10s %8s%n", "kind", "accepted", "refused", "limited", "failed", "µs/case");
        report.counts().forEach((kind, count) -> {
            long behaved = count.accepted() + count.refused() + count.limited();
            System.out.printf(
                    "%-20s %10d %10d %10d %10d %8d%n",
                    kind,
                    count.accepted(),
                    count.refused(),
                    count.limited(),
                    count.failed(),
                    behaved == 0 ? 0 : count.nanos() / behaved / 1_000);
        });
        System.out.printf(
                "slowest: case %d, %d ms; largest: case %d, %d MiB allocated%n",
                report.slowest().number(),
                report.slowest().amount() / 1_000_000,
                report.largest().number(),
                report.largest().amount() >> 20);
        long failed = report.counts().values().stream()
                .mapToLong(FuzzReport.Count::failed)
                .sum();
        System.out.println(report.cases() + " cases, " + failed + " failed, "
                + report.failures().size() + " different faults");
    }

    private Path write(FuzzFailure failure, long chosen) throws IOException {
        Path folder = out != null
                ? out
                : Path.of(System.getProperty("osmhub.root", ".")).resolve("target/fuzz");
        Files.createDirectories(folder);
        Path file = folder.resolve(failure.input().kind() + "-" + chosen + "-" + failure.number() + ".json");
        Files.writeString(file, failure.input().toJson(failure.what()));
        return file;
    }

    private static void explain(FuzzFailure failure, Path file) {
        System.out.println();
        System.out.println(
                "FAILED case " + failure.number() + " (" + failure.input().kind() + "): " + failure.what());
        System.out.println("  replay: ./hub fuzz --replay " + file);
    }
}

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
            "Throw random and mutated templates, profiles, MachineDeployments, settings, flags, stored configurations, YAML, JSON and"
                    + " TOML at whatever reads them.",
            "",
            "A case fails on an exception that is not declared, when it takes more processor time or memory than the limits allow, when a"
                    + " refusal has output beside it, and when a message or a stored object holds a credential.",
            "",
            "The same seed makes the same cases. A failing one is written to a file, which --replay runs again.",
        },
        footer = {"", "Exit codes: 0 no case failed, 1 one did, 2 unusable arguments."},
        mixinStandardHelpOptions = true)
final class FuzzCommand implements Callable<Integer> {
    private static final long USUAL_CASES = 100_000;
    private static final Duration NO_LIMIT = Duration.ofDays(365);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(names = "--cases", paramLabel = "N", description = "Run so many cases; 100000 without --seconds.")
    private @Nullable Long cases;

    @Option(names = "--seconds", paramLabel = "N", description = "Run for so long.")
    private @Nullable Long seconds;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Make the cases of this seed. Without it a new one, which is printed.")
    private @Nullable Long seed;

    @Option(names = "--first", paramLabel = "N", description = "Begin with the case of this number.")
    private long first;

    @Option(names = "--replay", paramLabel = "FILE", description = "Run the case of this file alone.")
    private @Nullable Path replay;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write failing cases there; target/fuzz of the checkout if left out.")
    private @Nullable Path out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (replay != null) {
            return replay(replay);
        }
        if ((cases != null && cases < 1) || (seconds != null && seconds < 1) || first < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--cases and --seconds must be above 0, --first not below");
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
            throw new ParameterException(spec.commandLine(), "--replay " + file + ": no such file");
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
        System.out.println("  again: ./hub fuzz --replay " + file);
    }
}

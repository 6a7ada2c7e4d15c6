package io.osmhub.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Entry point of the benchmarks. Without a name, lists them. */
@Command(
        name = "./hub bench",
        synopsisSubcommandLabel = "BENCHMARK",
        commandListHeading = "%nBenchmarks:%n",
        description = "Measure the hub on this machine. docs/performance.md has the figures and the method.",
        mixinStandardHelpOptions = true)
public final class Bench implements Runnable {
    private static final int FAILED = 1;
    private static final int UNUSABLE_INPUT = 2;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    private Bench() {}

    @Override
    public void run() {
        spec.commandLine().usage(System.out);
    }

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Bench())
                .addSubcommand(new RenderBenchCommand())
                .addSubcommand(new FleetBench())
                .addSubcommand(new TrainCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((fault, command, result) -> {
                    System.err.println("hub: " + command.getCommandName() + ": " + fault.getMessage());
                    return FAILED;
                })
                .setParameterExceptionHandler((mistake, ignored) -> {
                    System.err.println("hub: " + mistake.getMessage() + "; list the benchmarks with ./hub bench");
                    return UNUSABLE_INPUT;
                })
                .execute(arguments));
    }

    /** Describes the machine and JVM of a measurement. */
    static final class MachineInfo {
        private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
        private static final String MODEL = "model name";

        private MachineInfo() {}

        static String describe() {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            String collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                    .map(GarbageCollectorMXBean::getName)
                    .collect(Collectors.joining(", "));
            return RenderBenchCommand.format(
                    "machine  %d processors%s, %.1f GiB of memory, %s %s, load before %.1f%n"
                            + "Java     %s %s; collectors: %s",
                    system.getAvailableProcessors(),
                    model(),
                    system.getTotalMemorySize() / (double) (1 << 30),
                    system.getName(),
                    system.getArch(),
                    system.getSystemLoadAverage(),
                    System.getProperty("java.vendor"),
                    System.getProperty("java.runtime.version"),
                    collectors);
        }

        /** The first processor's model in parentheses; empty if unknown. */
        private static String model() {
            if (!Files.isReadable(PROCESSORS)) {
                return "";
            }
            try (Stream<String> lines = Files.lines(PROCESSORS)) {
                return lines.filter(line -> line.startsWith(MODEL))
                        .map(line ->
                                " (" + line.substring(line.indexOf(':') + 1).strip() + ")")
                        .findFirst()
                        .orElse("");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

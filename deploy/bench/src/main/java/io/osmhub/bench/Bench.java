package io.osmhub.bench;

import io.osmhub.bench.fleet.FaultsBenchCommand;
import io.osmhub.bench.fleet.FleetBenchCommand;
import io.osmhub.bench.fleet.TrainCommand;
import io.osmhub.bench.inventory.InventoryBenchCommand;
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
                .addSubcommand(new FleetBenchCommand(MachineInfo::describe))
                .addSubcommand(new FaultsBenchCommand(MachineInfo::describe))
                .addSubcommand(new InventoryBenchCommand(MachineInfo::describe))
                .addSubcommand(new TrainCommand())
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
}

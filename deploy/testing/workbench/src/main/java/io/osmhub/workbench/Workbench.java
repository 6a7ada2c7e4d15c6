package io.osmhub.workbench;

import io.osmhub.workbench.PackageMap.PackageMapCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the contributors' tools. */
@Command(
        name = "./hub",
        subcommands = {FuzzCommand.class, GoldenCommand.class, PackageMapCommand.class},
        description = "Tools for contributors.",
        mixinStandardHelpOptions = true)
public final class Workbench {
    private static final int WIDTH = 110;

    private Workbench() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Workbench())
                .setUsageHelpWidth(WIDTH)
                .setParameterExceptionHandler((mistake, ignored) -> {
                    CommandLine command = mistake.getCommandLine();
                    command.getErr()
                            .println("hub: " + mistake.getMessage() + "; "
                                    + command.getCommandSpec().qualifiedName() + " --help shows the usage");
                    return command.getCommandSpec().exitCodeOnInvalidInput();
                });
    }
}

package io.osmhub.workbench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the contributors' tools. */
@Command(
        name = "./hub",
        subcommands = {GoldenCommand.class, MapCommand.class},
        description = "Tools for contributors.",
        mixinStandardHelpOptions = true)
public final class Workbench {
    private Workbench() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Workbench()).execute(arguments));
    }
}

package io.osmhub.deploy.cli;

import io.osmhub.deploy.config.ConfigurationReport;
import io.osmhub.deploy.dropin.ControllerFlags;
import io.osmhub.deploy.dropin.GoFlags;
import io.osmhub.deploy.run.HubProcess;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code hub controller}: replaces OSM's controller, with its command line. */
@Command(
        name = "controller",
        description = {
            "Serve one worker cluster as a replacement for Operating System Manager's controller.",
            "",
            "Accepts the flags of osm-controller with the same names, defaults and errors, with one or two dashes; -help lists"
                    + " them. Needs no WorkerCluster; reads profiles and writes configurations in the namespace of -namespace.",
            ""
        },
        customSynopsis = "hub controller -namespace NAMESPACE [FLAGS]",
        footer = {"", "Exit codes: 0 stopped, 2 invalid flag or unusable file."})
final class ControllerCommand extends TerminalCommand {
    @Override
    public Integer call() {
        return run(terminal, List.of());
    }

    /** Receives everything after the verb unparsed. */
    static int run(Terminal terminal, List<String> arguments) {
        return run(
                terminal,
                "hub controller",
                ControllerFlags.names(),
                ControllerFlags.read(arguments),
                flags -> HubProcess.run(flags, arguments));
    }

    /** Runs the service of some flags until it is stopped. */
    @FunctionalInterface
    interface Service<T> {
        void run(T flags) throws IOException;
    }

    /** Runs a service with OSM's command line. */
    static <T> int run(
            Terminal terminal, String command, List<String> names, GoFlags.Result<T> read, Service<T> service) {
        switch (read) {
            case GoFlags.Result.Help<T>() -> {
                names.forEach(name -> terminal.out().println("  -" + name));
                return ExitCode.OK;
            }
            case GoFlags.Result.Refused<T>(var mistakes) -> {
                ConfigurationReport.lines(command, "in the flags", "nothing was started", mistakes)
                        .forEach(terminal.err()::println);
                return ExitCode.UNUSABLE_INPUT;
            }
            case GoFlags.Result.Read<T>(T flags) -> {
                try {
                    service.run(flags);
                    return ExitCode.OK;
                } catch (IOException e) {
                    terminal.printRefusal(String.valueOf(e.getMessage()));
                    return ExitCode.UNUSABLE_INPUT;
                }
            }
        }
    }
}

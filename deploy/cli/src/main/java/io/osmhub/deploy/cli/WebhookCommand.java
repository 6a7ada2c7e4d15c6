package io.osmhub.deploy.cli;

import io.osmhub.deploy.config.ConfigurationReport;
import io.osmhub.deploy.dropin.WebhookFlags;
import io.osmhub.deploy.run.HubProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code hub webhook}: replaces OSM's webhook, with its command line. */
@Command(
        name = "webhook",
        description = {
            "Serve admission reviews as a replacement for Operating System Manager's webhook.",
            "",
            "Accepts the flags of webhook with the same names, defaults and errors, with one or two dashes; -help lists them."
                    + " Listens on port 9443; tls.crt and tls.key of -cert-dir are reloaded when they change.",
            ""
        },
        customSynopsis = "hub webhook -namespace NAMESPACE [FLAGS]",
        footer = {"", "Exit codes: 0 stopped, 2 invalid flag or unusable file."})
final class WebhookCommand implements Callable<Integer> {
    private final Terminal terminal;

    WebhookCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        return run(terminal, List.of());
    }

    /** Receives everything after the verb unparsed. */
    static int run(Terminal terminal, List<String> arguments) {
        switch (WebhookFlags.read(arguments)) {
            case WebhookFlags.Result.Help() -> {
                WebhookFlags.names().forEach(name -> terminal.out().println("  -" + name));
                return ExitCode.OK;
            }
            case WebhookFlags.Result.Refused(var mistakes) -> {
                ConfigurationReport.lines("hub webhook", "in the flags", "nothing was started", mistakes)
                        .forEach(terminal.err()::println);
                return ExitCode.UNUSABLE_INPUT;
            }
            case WebhookFlags.Result.Read(WebhookFlags read) -> {
                try {
                    HubProcess.run(read);
                    return ExitCode.OK;
                } catch (IOException e) {
                    terminal.printRefusal(String.valueOf(e.getMessage()));
                    return ExitCode.UNUSABLE_INPUT;
                }
            }
        }
    }
}

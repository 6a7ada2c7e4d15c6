package io.osmhub.deploy.cli;

import io.osmhub.deploy.dropin.WebhookFlags;
import io.osmhub.deploy.run.HubProcess;
import java.util.List;
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
final class WebhookCommand extends TerminalCommand {
    @Override
    public Integer call() {
        return run(terminal, List.of());
    }

    /** Receives everything after the verb unparsed. */
    static int run(Terminal terminal, List<String> arguments) {
        return ControllerCommand.run(
                terminal, "hub webhook", WebhookFlags.names(), WebhookFlags.read(arguments), HubProcess::run);
    }
}

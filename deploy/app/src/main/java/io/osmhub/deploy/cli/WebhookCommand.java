package io.osmhub.deploy.cli;

import io.osmhub.deploy.config.ConfigurationReport;
import io.osmhub.deploy.dropin.WebhookFlags;
import io.osmhub.deploy.run.HubProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code hub webhook}: takes the place of the peer's webhook, with its command line. */
@Command(
        name = "webhook",
        description = {
            "Answer admission reviews in place of the Operating System Manager's webhook.",
            "",
            "Takes the flags of webhook with their names, defaults and refusals, by one or two dashes; -help lists them."
                    + " Listens on port 9443; tls.crt and tls.key of -cert-dir are read again when they change.",
            ""
        },
        customSynopsis = "hub webhook -namespace NAMESPACE [FLAGS]",
        footer = {"", "Exit codes: 0 told to stop, 2 a flag or a file that it names cannot be used."})
final class WebhookCommand implements Callable<Integer> {
    private final Terminal terminal;

    WebhookCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        return run(terminal, List.of());
    }

    /** With everything after the verb as it was written. */
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
                    terminal.refuse(String.valueOf(e.getMessage()));
                    return ExitCode.UNUSABLE_INPUT;
                }
            }
        }
    }
}

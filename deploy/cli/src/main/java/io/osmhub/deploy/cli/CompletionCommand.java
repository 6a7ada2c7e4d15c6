package io.osmhub.deploy.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub completion}: prints a script that completes verbs, options and their fixed values. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Print a script that completes verbs, options and their fixed values in bash or zsh.",
        footer = {"", "bash:  source <(hub completion bash)", "zsh:   source <(hub completion zsh)     (after compinit)"
        })
final class CompletionCommand implements Runnable {
    /** The supported shells; both accept the same script. */
    enum Shell {
        bash,
        zsh
    }

    private final Terminal terminal;

    @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
    @SuppressWarnings({"NullAway.Init", "unused"}) // set by picocli, which rejects other shells
    private Shell shell;

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        terminal.out().print(AutoComplete.bash(HubCommand.NAME, HubCommand.commandLine(terminal)));
    }
}

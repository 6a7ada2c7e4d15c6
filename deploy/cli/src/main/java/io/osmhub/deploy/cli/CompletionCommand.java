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
final class CompletionCommand extends TerminalCommand {
    /** The supported shells; both accept the same script. */
    enum Shell {
        bash,
        zsh
    }

    @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
    @SuppressWarnings({"NullAway.Init", "unused"}) // set by picocli, which rejects other shells
    private Shell shell;

    @Override
    public Integer call() {
        terminal.out().print(AutoComplete.bash(HubCommand.NAME, HubCommand.commandLine(terminal)));
        return ExitCode.OK;
    }
}

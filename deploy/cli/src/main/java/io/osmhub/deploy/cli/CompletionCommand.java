package io.osmhub.deploy.cli;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hub completion}: prints a script that completes verbs and options. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Print a completion script for a shell.",
        footer = {
            "",
            "bash:  source <(hub completion bash)",
            "zsh:   source <(hub completion zsh)",
            "fish:  hub completion fish | source"
        })
final class CompletionCommand implements Runnable {
    /** The supported shells. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    private final Terminal terminal;

    @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private Shell shell;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        terminal.out()
                .print(
                        switch (shell) {
                            // In zsh, the script enables bash completion.
                            case bash, zsh -> AutoComplete.bash("hub", root);
                            case fish -> fish(root);
                        });
    }

    private static String fish(CommandLine root) {
        StringBuilder script = new StringBuilder("complete -c hub -f\n");
        root.getSubcommands().forEach((verb, command) -> {
            script.append("complete -c hub -n __fish_use_subcommand -a ")
                    .append(verb)
                    .append(" -d ")
                    .append(quoted(summary(command)))
                    .append('\n');
            for (OptionSpec option : command.getCommandSpec().options()) {
                String name = option.longestName();
                if (name.startsWith("--")) {
                    script.append("complete -c hub -F -n '__fish_seen_subcommand_from ")
                            .append(verb)
                            .append("' -l ")
                            .append(name.substring(2))
                            .append(option.arity().max() > 0 ? " -r" : "")
                            .append(" -d ")
                            .append(quoted(String.join(" ", option.description())))
                            .append('\n');
                }
            }
        });
        return script.toString();
    }

    private static String summary(CommandLine command) {
        return String.join(" ", command.getCommandSpec().usageMessage().description());
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}

package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub completion}: prints a script that completes verbs, options and names by {@link CommandCompletion}. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Print a completion script for a shell.",
            "Completes verbs, options, contexts, and names and values of objects if the hub responds within 2 s."
        },
        footer = {
            "",
            "bash:  source <(hub completion bash)",
            "zsh:   source <(hub completion zsh)     (after compinit)",
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

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        String name = "completion." + shell;
        try (InputStream script = Objects.requireNonNull(CompletionCommand.class.getResourceAsStream(name), name)) {
            terminal.out().print(new String(script.readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

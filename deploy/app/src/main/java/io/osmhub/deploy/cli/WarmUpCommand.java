package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Command;

/**
 * Runs the common verbs once and shows nothing. The launcher records this run for the start-up cache, so that later
 * starts find the classes loaded and linked.
 */
@Command(name = "warm-up", hidden = true, description = "Exercise the common verbs for the start-up cache.")
final class WarmUpCommand implements Runnable {
    private static final List<List<String>> VERBS =
            List.of(List.of("--help"), List.of("version"), List.of("completion", "bash"), List.of("no-such-verb"));

    @Override
    public void run() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
        for (List<String> verb : VERBS) {
            HubCommand.run(new Terminal(nowhere, nowhere), verb.toArray(String[]::new));
        }
    }
}

package io.osmhub.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.deploy.cli.HubCommand;
import io.osmhub.deploy.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A command that runs until interrupted, as by Ctrl-C. */
final class RunningCommand implements AutoCloseable {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final Thread thread;

    private RunningCommand(List<String> arguments) {
        thread = Thread.ofVirtual().unstarted(() -> {
            try {
                exit.complete(HubCommand.run(
                        new Terminal(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)),
                        arguments.toArray(String[]::new)));
            } catch (RuntimeException e) {
                exit.completeExceptionally(e);
            }
        });
    }

    static RunningCommand start(List<String> way, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(way);
        RunningCommand following = new RunningCommand(all);
        following.thread.start();
        return following;
    }

    /** What it printed until now, line by line. */
    List<String> lines() {
        String text = out.toString(UTF_8);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /** Hints and errors until now. */
    String errorOutput() {
        return err.toString(UTF_8);
    }

    /** Stops it; its exit code. */
    int stop() throws Exception {
        thread.interrupt();
        return exit.get(1, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

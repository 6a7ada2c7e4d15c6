package io.osmhub.e2e.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Exit code of a command and its output, results and errors together. */
public record CommandResult(int code, String output) {
    /** Runs a program on this host. */
    public static CommandResult of(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new CommandResult(process.waitFor(), output.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** The output of a command that must succeed. */
    public String requireSuccess(String command) {
        if (code != 0) {
            throw new AssertionError(command + ": exit code " + code + ": " + output);
        }
        return output;
    }
}

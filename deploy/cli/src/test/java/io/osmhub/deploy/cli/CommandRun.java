package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** One run of the command line, with what it wrote. */
record CommandRun(int exitCode, String out, String err) {
    static CommandRun of(String... arguments) {
        return withInput("", arguments);
    }

    static CommandRun withInput(String input, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = HubCommand.run(
                new Terminal(
                        new ByteArrayInputStream(input.getBytes(UTF_8)),
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8)),
                arguments);
        return new CommandRun(exitCode, out.toString(UTF_8), err.toString(UTF_8));
    }
}

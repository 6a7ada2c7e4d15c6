package io.osmhub.core.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Assumptions;

/** The shell of the machine that runs the tests. */
final class Bash implements ScriptChecker {
    /** Skips a test, with a reason, on a machine without bash. */
    static ScriptChecker orSkip() {
        try {
            new ProcessBuilder("bash", "-c", ":").start().waitFor();
            return new Bash();
        } catch (IOException e) {
            Assumptions.abort("bash is required to check scripts");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Assumptions.abort("interrupted");
        }
        return NONE;
    }

    @Override
    public String check(Dialect dialect, String script) {
        try {
            Process bash = new ProcessBuilder("bash", "--norc", "--noprofile", "-n", "/dev/stdin").start();
            try (OutputStream input = bash.getOutputStream()) {
                input.write(script.getBytes(UTF_8));
            }
            return new String(bash.getErrorStream().readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

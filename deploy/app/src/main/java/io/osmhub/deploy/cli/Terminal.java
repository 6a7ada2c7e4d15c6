package io.osmhub.deploy.cli;

import java.io.Console;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import org.jspecify.annotations.Nullable;

/**
 * Where a command reads and writes: results go to {@code out}, everything else to {@code err}. Both are UTF-8 whatever the locale
 * says, because what is rendered is UTF-8.
 */
public record Terminal(InputStream in, PrintStream out, PrintStream err, Screen screen) {
    /**
     * Who looks at it.
     *
     * @param person somebody does, and can answer
     * @param width in characters; 0 when lines may be of any length
     */
    public record Screen(boolean person, int width) {
        static final Screen NONE = new Screen(false, 0);

        /** Of this process. */
        @SuppressWarnings("SystemConsoleNull") // so it was from Java 22 to 24
        static Screen ofProcess() {
            // Null where neither input nor output is a terminal, as in a pod.
            @Nullable Console console = System.console();
            if (console == null || !console.isTerminal()) {
                return NONE;
            }
            String columns = System.getenv("COLUMNS");
            boolean known = columns != null && columns.matches("[0-9]{1,4}");
            return new Screen(true, known ? Integer.parseInt(columns) : columns());
        }

        /** As {@code stty} sees it, which every system with terminals has; shells keep COLUMNS to themselves. */
        private static int columns() {
            try {
                Process process = new ProcessBuilder("stty", "size")
                        .redirectInput(new File("/dev/tty"))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                return process.waitFor() == 0 && answer.matches("[0-9]{1,4} [0-9]{1,4}\\s*")
                        ? Integer.parseInt(answer.strip().split(" ")[1])
                        : 0;
            } catch (IOException noSuchProgram) {
                return 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 0;
            }
        }
    }

    /** A terminal at which nobody types. */
    public Terminal(PrintStream out, PrintStream err) {
        this(InputStream.nullInputStream(), out, err);
    }

    /** A pipe. */
    public Terminal(InputStream in, PrintStream out, PrintStream err) {
        this(in, out, err, Screen.NONE);
    }

    /** Whether a person looks at it. */
    boolean isScreen() {
        return screen.person();
    }

    /** Characters of a line; 0 for any. */
    int width() {
        return screen.width();
    }

    /** Asks on a terminal; where nobody can answer, {@code yes} must have been given. */
    void confirm(String question, boolean yes) {
        if (yes) {
            return;
        }
        if (!isScreen()) {
            throw new Refusal(ExitCode.UNUSABLE_INPUT, "nobody is there to be asked; say --yes to do it");
        }
        err.print(question + " [y/N] ");
        err.flush();
        Scanner lines = new Scanner(in, StandardCharsets.UTF_8);
        String answer = lines.hasNextLine() ? lines.nextLine() : "";
        if (!answer.strip().equalsIgnoreCase("y") && !answer.strip().equalsIgnoreCase("yes")) {
            throw new Refusal(ExitCode.UNUSABLE_INPUT, "not done");
        }
    }

    /** The streams of this process. */
    public static Terminal ofProcess() {
        return new Terminal(
                System.in,
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                Screen.ofProcess());
    }

    /** Says in one line why nothing was done. */
    void refuse(String reason) {
        err.println("hub: " + reason);
    }
}

package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import java.io.Console;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import org.jspecify.annotations.Nullable;

/** Input and output of a command: results go to {@code out}, all else to {@code err}, both in UTF-8 in any locale. */
public record Terminal(InputStream in, PrintStream out, PrintStream err, Screen screen) {
    /**
     * Properties of the screen.
     *
     * @param person whether a user is present and can answer
     * @param width in characters; 0 if unlimited
     */
    public record Screen(boolean person, int width) {
        static final Screen NONE = new Screen(false, 0);

        /** The screen of this process. */
        @SuppressWarnings("SystemConsoleNull") // could be non-null without a terminal in Java 22 to 24
        static Screen ofProcess() {
            // Null if neither input nor output is a terminal, as in a pod.
            @Nullable Console console = System.console();
            if (console == null || !console.isTerminal()) {
                return NONE;
            }
            String columns = System.getenv("COLUMNS");
            boolean known = columns != null && columns.matches("[0-9]{1,4}");
            return new Screen(true, known ? Integer.parseInt(columns) : columns());
        }

        /** Asks {@code stty}, which every system with terminals has; shells do not export COLUMNS. */
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

    /**
     * Standard output or error. Printed text may come from anyone who can write to a cluster, so that characters that act on a
     * terminal are escaped; bytes are written as they are. Remembers whether its reader ended before the result was complete.
     */
    static final class Output extends PrintStream {
        private final PipeOutput pipe;

        Output(OutputStream stream) {
            this(new PipeOutput(stream));
        }

        private Output(PipeOutput pipe) {
            super(pipe, true, StandardCharsets.UTF_8);
            this.pipe = pipe;
        }

        static Output of(PrintStream stream) {
            return stream instanceof Output output ? output : new Output(stream);
        }

        /** Lines and formatted text end here too. */
        @Override
        public void print(@Nullable String text) {
            super.print(TerminalSanitizer.sanitizeText(String.valueOf(text)));
        }

        @Override
        public boolean checkError() {
            return super.checkError() || pipe.hasFailed();
        }

        boolean isClosedByReader() {
            return pipe.broken;
        }

        private static final class PipeOutput extends FilterOutputStream {
            private volatile boolean broken;

            PipeOutput(OutputStream stream) {
                super(stream);
            }

            boolean hasFailed() {
                return out instanceof PrintStream stream && stream.checkError();
            }

            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                try {
                    out.write(bytes, offset, length);
                } catch (IOException e) {
                    // Java has no type for EPIPE, and the C library's text is not translated.
                    broken |= String.valueOf(e.getMessage()).contains("Broken pipe");
                    throw e;
                }
            }
        }
    }

    public Terminal {
        out = Output.of(out);
        err = Output.of(err);
    }

    /** A terminal without input. */
    public Terminal(PrintStream out, PrintStream err) {
        this(InputStream.nullInputStream(), out, err);
    }

    /** Not interactive. */
    public Terminal(InputStream in, PrintStream out, PrintStream err) {
        this(in, out, err, Screen.NONE);
    }

    /** Whether a user is present. */
    boolean isScreen() {
        return screen.person();
    }

    /** Line width in characters; 0 if unlimited. */
    int width() {
        return screen.width();
    }

    /** Asks on a terminal; without one, {@code yes} is required. */
    void confirm(String question, boolean yes) {
        if (yes) {
            return;
        }
        if (!isScreen()) {
            throw CommandFailure.unusable("confirmation required but not on a terminal; use --yes");
        }
        err.print(question + " [y/N] ");
        err.flush();
        Scanner lines = new Scanner(in, StandardCharsets.UTF_8);
        String answer = lines.hasNextLine() ? lines.nextLine() : "";
        if (!answer.strip().equalsIgnoreCase("y") && !answer.strip().equalsIgnoreCase("yes")) {
            throw CommandFailure.unusable("cancelled");
        }
    }

    /** The streams of this process. */
    public static Terminal ofProcess() {
        return new Terminal(
                System.in,
                new Output(new FileOutputStream(FileDescriptor.out)),
                new Output(new FileOutputStream(FileDescriptor.err)),
                Screen.ofProcess());
    }

    /** Prints in one line why nothing was done. */
    void printRefusal(String reason) {
        err.println("hub: " + reason);
    }
}

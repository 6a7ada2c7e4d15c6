package io.osmhub.deploy.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where a command reads and writes: results go to {@code out}, everything else to {@code err}. Both are UTF-8 whatever the locale
 * says, because what is rendered is UTF-8.
 */
public record Terminal(InputStream in, PrintStream out, PrintStream err) {
    /** A terminal at which nobody types. */
    public Terminal(PrintStream out, PrintStream err) {
        this(InputStream.nullInputStream(), out, err);
    }

    /** The streams of this process. */
    public static Terminal ofProcess() {
        return new Terminal(
                System.in,
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
    }

    /** Says in one line why nothing was done. */
    void refuse(String reason) {
        err.println("hub: " + reason);
    }
}

package io.osmhub.deploy.dropin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flags of a running stand-in: looks at the CA files that they name, and reads the flags again when one has changed. Not safe
 * for several threads; a timer calls {@link #poll} every few seconds.
 */
public final class FlagFiles {
    private final List<String> arguments;
    private final List<Path> files;
    private List<String> read;

    /**
     * Files as they are now.
     *
     * @param arguments the command line
     * @param flags what was read from it
     */
    public FlagFiles(List<String> arguments, ControllerFlags flags) {
        this.arguments = List.copyOf(arguments);
        this.files = flags.caFiles();
        List<String> now = contents();
        this.read = now == null ? List.of() : now;
    }

    /** What the flags mean now; null while the files are as they were, or one is away for a moment because it is being replaced. */
    public ControllerFlags.@Nullable Result poll() {
        List<String> now = contents();
        if (now == null || now.equals(read)) {
            return null;
        }
        read = now;
        return ControllerFlags.read(arguments);
    }

    private @Nullable List<String> contents() {
        List<String> contents = new ArrayList<>();
        for (Path file : files) {
            try {
                contents.add(Files.readString(file));
            } catch (IOException e) {
                return null;
            }
        }
        return contents;
    }
}

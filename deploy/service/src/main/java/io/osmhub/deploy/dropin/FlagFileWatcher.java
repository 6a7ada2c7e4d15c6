package io.osmhub.deploy.dropin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Watches the CA files of the flags, and rereads the flags when one changes. Not thread-safe; a timer calls {@link #poll} every
 * few seconds.
 */
public final class FlagFileWatcher {
    private final List<String> arguments;
    private final List<Path> files;
    private List<String> read;

    /**
     * Starts with the current files.
     *
     * @param arguments the command line
     * @param flags parsed from it
     */
    public FlagFileWatcher(List<String> arguments, ControllerFlags flags) {
        this.arguments = List.copyOf(arguments);
        this.files = flags.caFiles();
        List<String> now = contents();
        this.read = now == null ? List.of() : now;
    }

    /** The reread flags; null if no file changed, or if one is missing because it is being replaced. */
    public GoFlags.@Nullable Result<ControllerFlags> poll() {
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

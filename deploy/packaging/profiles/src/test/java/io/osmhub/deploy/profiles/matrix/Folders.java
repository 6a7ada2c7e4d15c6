package io.osmhub.deploy.profiles.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Folders below {@code target}. */
final class Folders {
    private Folders() {}

    /** The folder, without what an earlier run left in it. */
    static Path recreate(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        return Files.createDirectories(folder).toAbsolutePath();
    }
}

package io.osmhub.bench.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** Lays out the program as in the distribution, with {@code bin/hub} and its JVM options, from a built checkout. */
final class DistributionLayout {
    private DistributionLayout() {}

    /** Lays it out in a folder and returns the program. */
    static Path copyTo(Path folder, Path checkout) throws IOException {
        Path app = checkout.resolve("deploy/app/target");
        Path libraries = Files.createDirectories(folder.resolve("lib"));
        for (Path jar : Stream.concat(jars(app.resolve("lib")).stream(), jars(app).stream())
                .toList()) {
            Files.createSymbolicLink(libraries.resolve(jar.getFileName()), jar.toAbsolutePath());
        }
        Path program = Files.createDirectories(folder.resolve("bin")).resolve("hub");
        // Copy, because the script resolves links to find its libraries.
        Files.copy(checkout.resolve("deploy/image/bin/hub"), program, StandardCopyOption.COPY_ATTRIBUTES);
        return program;
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(DistributionLayout::isLibrary).toList();
        }
    }

    private static boolean isLibrary(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".jar") && !name.endsWith("-tests.jar") && !name.endsWith("-sources.jar");
    }
}

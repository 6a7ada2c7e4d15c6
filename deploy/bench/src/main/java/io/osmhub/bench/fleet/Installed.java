package io.osmhub.bench.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The program as the distribution has it, {@code bin/hub} with its options of the JVM and all, laid out from a built checkout. */
final class Installed {
    private Installed() {}

    /** Lays it out below a folder and returns the program. */
    static Path into(Path folder, Path checkout) throws IOException {
        Path app = checkout.resolve("deploy/app/target");
        Path libraries = Files.createDirectories(folder.resolve("lib"));
        for (Path jar : Stream.concat(jars(app.resolve("lib")).stream(), jars(app).stream())
                .toList()) {
            Files.createSymbolicLink(libraries.resolve(jar.getFileName()), jar.toAbsolutePath());
        }
        Path program = Files.createDirectories(folder.resolve("bin")).resolve("hub");
        // A copy: the script looks for its libraries beside the file that a link leads to.
        Files.copy(checkout.resolve("deploy/image/bin/hub"), program, StandardCopyOption.COPY_ATTRIBUTES);
        return program;
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Installed::isLibrary).toList();
        }
    }

    private static boolean isLibrary(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".jar") && !name.endsWith("-tests.jar") && !name.endsWith("-sources.jar");
    }
}

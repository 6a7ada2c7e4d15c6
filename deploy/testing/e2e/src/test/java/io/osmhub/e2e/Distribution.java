package io.osmhub.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** What is installed, unpacked once for all tests of a run. */
final class Distribution {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../../.."))
            .toAbsolutePath()
            .normalize();
    private static final Path PROGRAM = unpack();

    private Distribution() {}

    /** The program that people start. */
    static Path program() {
        return PROGRAM;
    }

    /**
     * The program of the previous release: that of the distribution in the folder {@code OSMHUB_PREVIOUS}, or the current one when
     * there is none.
     */
    static Path previousProgram() {
        String folder = System.getenv("OSMHUB_PREVIOUS");
        return folder == null || folder.isEmpty() ? PROGRAM : Path.of(folder).resolve("bin/hub");
    }

    private static Path unpack() {
        Path folder = Path.of("target/e2e/osm-hub").toAbsolutePath();
        try {
            int code = new ProcessBuilder(
                            ROOT.resolve("deploy/packaging/image/dist").toString(), "--folder", folder.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("the distribution could not be made");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return folder.resolve("bin/hub");
    }
}

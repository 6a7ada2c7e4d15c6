package io.osmhub.deploy.run;

import io.osmhub.api.schema.VersionInfo;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.template.TemplateEngine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.UUID;

/** The program's version and revision. */
public record BuildInfo(String version, String revision) {
    /** As recorded at build time. */
    public static BuildInfo current() {
        try (InputStream stream = BuildInfo.class.getResourceAsStream("build.properties")) {
            Properties properties = new Properties();
            properties.load(stream);
            return new BuildInfo(properties.getProperty("version"), properties.getProperty("revision"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Identifies what renders: the revision, or the content of the archives of a build without one. */
    String renderingVersion() {
        return version + "+"
                + (revision.equals("unknown")
                        ? archiveHash(location(Decider.class)) + archiveHash(location(TemplateEngine.class))
                        : revision);
    }

    private static Path location(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the program's archives have no path", e);
        }
    }

    /** Classes in a folder may be others after the next start, so they are equal to no others. */
    static String archiveHash(Path archive) {
        try {
            return Files.isRegularFile(archive)
                    ? Sha256.hex(Files.readAllBytes(archive))
                    : UUID.randomUUID().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(archive + " is not readable", e);
        }
    }

    /** With the version of the running Java, for the API and the command line. */
    public VersionInfo versionInfo() {
        return new VersionInfo(
                version, revision, Integer.toString(Runtime.version().feature()));
    }
}

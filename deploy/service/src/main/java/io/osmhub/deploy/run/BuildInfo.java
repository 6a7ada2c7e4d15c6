package io.osmhub.deploy.run;

import io.osmhub.api.schema.VersionInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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

    /** Identifies what it renders: a build without a revision may differ from any other, so it is equal only within a process. */
    String renderingVersion() {
        return version + "+" + (revision.equals("unknown") ? UUID.randomUUID() : revision);
    }

    /** With the version of the running Java, for the API and the command line. */
    public VersionInfo versionInfo() {
        return new VersionInfo(
                version, revision, Integer.toString(Runtime.version().feature()));
    }
}

package io.osmhub.deploy.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which build of the program this is. */
public record Build(String version, String revision) {
    /** As written into the program when it was built. */
    public static Build ofThisProgram() {
        try (InputStream stream = Build.class.getResourceAsStream("build.properties")) {
            Properties properties = new Properties();
            properties.load(stream);
            return new Build(properties.getProperty("version"), properties.getProperty("revision"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

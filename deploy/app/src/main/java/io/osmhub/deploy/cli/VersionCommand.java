package io.osmhub.deploy.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** {@code hub version}. */
@Command(
        name = "version",
        mixinStandardHelpOptions = true,
        description = "Print the version of the hub and of its Java.")
final class VersionCommand implements Runnable {
    private final Terminal terminal;

    VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        terminal.out().println(text());
    }

    static String text() {
        try (InputStream stream = VersionCommand.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(stream);
            return "hub " + properties.getProperty("version") + ", Java "
                    + Runtime.version().feature();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same text for {@code --version}. */
    static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {text()};
        }
    }
}

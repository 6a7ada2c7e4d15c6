package io.osmhub.deploy.cli;

import io.osmhub.deploy.run.BuildInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** {@code hub version}. */
@Command(name = "version", mixinStandardHelpOptions = true, description = "Print the versions of the hub and Java.")
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
        return "hub " + BuildInfo.current().version() + ", Java "
                + Runtime.version().feature();
    }

    /** The same text for {@code --version}. */
    static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {text()};
        }
    }
}

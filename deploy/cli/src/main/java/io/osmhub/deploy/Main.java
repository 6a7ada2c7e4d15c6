package io.osmhub.deploy;

import io.osmhub.deploy.cli.HubCommand;
import io.osmhub.deploy.cli.Terminal;

/** Entry point of the program. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(HubCommand.run(Terminal.ofProcess(), arguments));
    }
}

package io.osmhub.deploy;

import io.osmhub.deploy.cli.HubCommand;
import io.osmhub.deploy.cli.Terminal;
import java.security.Security;

/** Entry point of the program. */
public final class Main {
    private static final String DISABLED = "jdk.tls.disabledAlgorithms";

    private Main() {}

    public static void main(String[] arguments) {
        restrictTls();
        System.exit(HubCommand.run(Terminal.ofProcess(), arguments));
    }

    /** Applies to all servers and clients of the process. Java reads this once, when TLS is first used. */
    private static void restrictTls() {
        // All other enabled cipher suites have authenticated encryption (AEAD).
        Security.setProperty(DISABLED, Security.getProperty(DISABLED) + ", TLS_*_CBC_*");
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }
}

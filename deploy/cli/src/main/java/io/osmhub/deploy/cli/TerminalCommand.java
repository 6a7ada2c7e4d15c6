package io.osmhub.deploy.cli;

import java.util.concurrent.Callable;

/** A command that uses the terminal. */
abstract class TerminalCommand implements Callable<Integer> {
    /** Set by the factory of commands. */
    @SuppressWarnings("NullAway.Init")
    Terminal terminal;
}

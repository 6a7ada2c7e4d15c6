package io.osmhub.deploy.cli;

/** Exit codes of the process; part of the command line's contract. */
final class ExitCode {
    /** Done; nothing wrong was found. */
    static final int OK = 0;
    /** Done; lint findings, differences or an open problem were found. */
    static final int FOUND_SOMETHING = 1;
    /** Input, flags or configuration are unusable; nothing was done. */
    static final int UNUSABLE_INPUT = 2;
    /** A bug in the hub. */
    static final int INTERNAL_ERROR = 70;
    /** The result was not written completely to standard output. */
    static final int OUTPUT_FAILED = 74;
    /** The reader of standard output ended, as with {@code | head}: 128 + SIGPIPE, as in shells. */
    static final int OUTPUT_CLOSED = 141;
    /** Interrupted by Ctrl-C: 128 + SIGINT, as in shells. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}
}

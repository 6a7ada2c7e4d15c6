package io.osmhub.deploy.cli;

/** What the process's exit code says; part of the contract of the command line. */
final class ExitCode {
    /** Done, and nothing wrong was found. */
    static final int OK = 0;
    /** Done, and something was found: lint findings, differences, an open problem. */
    static final int FOUND_SOMETHING = 1;
    /** Input, flags or configuration cannot be used; nothing was done. */
    static final int UNUSABLE_INPUT = 2;
    /** A fault of the hub itself. */
    static final int INTERNAL_ERROR = 70;
    /** The result could not be written to the standard output, or not all of it. */
    static final int OUTPUT_FAILED = 74;
    /** Somebody stopped it, as the shell says of Ctrl-C. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}
}

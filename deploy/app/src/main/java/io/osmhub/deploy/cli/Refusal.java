package io.osmhub.deploy.cli;

/** Ends a command in order, with an exit code and the text for people: {@code what; how to mend it}. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    Refusal(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}

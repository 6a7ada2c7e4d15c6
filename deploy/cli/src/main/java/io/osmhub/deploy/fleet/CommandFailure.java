package io.osmhub.deploy.fleet;

import io.osmhub.deploy.config.InputError;
import java.util.Collection;
import java.util.List;

/** Ends a command with an exit code and a message for users: {@code what; how to fix it}. Contains no credential. */
public class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Determines the exit code. */
    public enum CommandFailureKind {
        /** A check failed. */
        FOUND_SOMETHING(1),
        /** Unusable input or flags; nothing was done. */
        UNUSABLE(2),
        NOT_FOUND(3),
        /** Not authenticated or not authorized. */
        NOT_ALLOWED(4),
        /** API or cluster unreachable. */
        UNREACHABLE(5),
        /** Modified concurrently or already exists. */
        CONFLICT(6),
        /** A bug in the hub. */
        INTERNAL(70);

        private final int exitCode;

        CommandFailureKind(int exitCode) {
            this.exitCode = exitCode;
        }

        public int exitCode() {
            return exitCode;
        }
    }

    private final CommandFailureKind kind;
    private final transient List<String> lines;

    /** @param lines printed indented below the message */
    public CommandFailure(CommandFailureKind kind, String message, List<String> lines) {
        super(message, null, false, false);
        this.kind = kind;
        this.lines = List.copyOf(lines);
    }

    public CommandFailure(CommandFailureKind kind, String message) {
        this(kind, message, List.of());
    }

    /** Unusable input or flags. */
    public static CommandFailure unusable(String message) {
        return new CommandFailure(CommandFailureKind.UNUSABLE, message);
    }

    /**
     * Errors in the user's input.
     *
     * @param outcome follows their number, for example {@code ", nothing was rendered"}
     */
    public static CommandFailure unusable(Collection<InputError> errors, String outcome) {
        String count = errors.size() == 1 ? "1 error" : errors.size() + " errors";
        List<String> lines =
                InputError.formatLines(errors).stream().map(String::strip).toList();
        return new CommandFailure(CommandFailureKind.UNUSABLE, count + outcome, lines);
    }

    /** API or cluster unreachable. */
    public static CommandFailure unreachable(String message) {
        return new CommandFailure(CommandFailureKind.UNREACHABLE, message);
    }

    public static CommandFailure notFound(String message) {
        return new CommandFailure(CommandFailureKind.NOT_FOUND, message);
    }

    public final CommandFailureKind kind() {
        return kind;
    }

    public final String text() {
        return String.valueOf(getMessage());
    }

    public final List<String> lines() {
        return lines;
    }
}

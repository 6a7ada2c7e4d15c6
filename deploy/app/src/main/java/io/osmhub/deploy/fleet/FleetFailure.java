package io.osmhub.deploy.fleet;

import java.util.List;

/** Why a command on the fleet ends: what happened and how to mend it, in one line and those below it. Holds no credential. */
public final class FleetFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** What a script is told by the exit code. */
    public enum Kind {
        /** A check failed. */
        FOUND_SOMETHING(1),
        /** Input or flags cannot be used; nothing was done. */
        UNUSABLE(2),
        NOT_FOUND(3),
        /** Not signed in, or not allowed. */
        NOT_ALLOWED(4),
        /** API or cluster does not answer. */
        UNREACHABLE(5),
        /** Changed meanwhile, or already there. */
        CONFLICT(6),
        /** A fault of the hub. */
        INTERNAL(70);

        private final int exitCode;

        Kind(int exitCode) {
            this.exitCode = exitCode;
        }

        public int exitCode() {
            return exitCode;
        }
    }

    private final Kind kind;
    private final transient List<String> lines;

    /** @param lines below the message, each indented by two blanks when printed */
    public FleetFailure(Kind kind, String message, List<String> lines) {
        super(message, null, false, false);
        this.kind = kind;
        this.lines = List.copyOf(lines);
    }

    public FleetFailure(Kind kind, String message) {
        this(kind, message, List.of());
    }

    public Kind kind() {
        return kind;
    }

    public String text() {
        return String.valueOf(getMessage());
    }

    public List<String> lines() {
        return lines;
    }
}

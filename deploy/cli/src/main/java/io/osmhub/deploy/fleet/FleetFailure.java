package io.osmhub.deploy.fleet;

import java.util.List;

/** Why a command on the fleet failed and how to fix it. Contains no credential. */
public final class FleetFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** Determines the exit code. */
    public enum FleetFailureKind {
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

        FleetFailureKind(int exitCode) {
            this.exitCode = exitCode;
        }

        public int exitCode() {
            return exitCode;
        }
    }

    private final FleetFailureKind kind;
    private final transient List<String> lines;

    /** @param lines printed indented below the message */
    public FleetFailure(FleetFailureKind kind, String message, List<String> lines) {
        super(message, null, false, false);
        this.kind = kind;
        this.lines = List.copyOf(lines);
    }

    public FleetFailure(FleetFailureKind kind, String message) {
        this(kind, message, List.of());
    }

    /** Unusable input or flags. */
    public static FleetFailure unusable(String message) {
        return new FleetFailure(FleetFailureKind.UNUSABLE, message);
    }

    /** API or cluster unreachable. */
    public static FleetFailure unreachable(String message) {
        return new FleetFailure(FleetFailureKind.UNREACHABLE, message);
    }

    public static FleetFailure notFound(String message) {
        return new FleetFailure(FleetFailureKind.NOT_FOUND, message);
    }

    public FleetFailureKind kind() {
        return kind;
    }

    public String text() {
        return String.valueOf(getMessage());
    }

    public List<String> lines() {
        return lines;
    }
}

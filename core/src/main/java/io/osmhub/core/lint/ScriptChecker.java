package io.osmhub.core.lint;

/** Checks the syntax of a shell script without running it. A port, because core must not start processes. */
@FunctionalInterface
public interface ScriptChecker {
    /** Finds nothing; for callers without a shell. */
    ScriptChecker NONE = (dialect, script) -> "";

    /** The script's language. */
    enum Dialect {
        /** Must be valid for any POSIX shell. */
        POSIX,
        BASH
    }

    /** Returns what the shell prints about the script, in one line; empty if it has no syntax error. */
    String check(Dialect dialect, String script);
}

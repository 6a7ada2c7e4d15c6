package io.osmhub.core.lint;

import java.util.List;

/** Checks the syntax of a shell script without running it. A port, because core must not start processes. */
@FunctionalInterface
public interface ScriptChecker {
    /** One syntax error; {@code line} counts from 1. */
    record ScriptError(int line, String message) {}

    /** Finds nothing; for callers without a shell. */
    ScriptChecker NONE = (dialect, script) -> List.of();

    /** The script's language. */
    enum Dialect {
        /** Must be valid for any POSIX shell. */
        POSIX,
        BASH
    }

    List<ScriptError> check(Dialect dialect, String script);

    /**
     * Parses bash's English messages about a script file.
     *
     * @param errors its standard error
     */
    static List<ScriptError> parseBashErrors(String errors) {
        return BashErrorParser.parse(errors);
    }
}

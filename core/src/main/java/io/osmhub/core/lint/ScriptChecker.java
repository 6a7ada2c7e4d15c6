package io.osmhub.core.lint;

import java.util.List;

/** Checks the syntax of a shell script without running it. A port: it takes a shell, which core does not start. */
@FunctionalInterface
public interface ScriptChecker {
    /** One fault of a script; {@code line} counts from 1. */
    record Fault(int line, String message) {}

    /** Finds nothing; for callers without a shell. */
    ScriptChecker NONE = (dialect, script) -> List.of();

    /** What a script is written in. */
    enum Dialect {
        /** Has to be right for any POSIX shell. */
        POSIX,
        BASH
    }

    /** Checks one script. */
    List<Fault> check(Dialect dialect, String script);

    /**
     * Reads what bash says of a script that it was given as a file, in English.
     *
     * @param errors its standard error
     */
    static List<Fault> faultsIn(String errors) {
        return BashMessages.read(errors);
    }
}

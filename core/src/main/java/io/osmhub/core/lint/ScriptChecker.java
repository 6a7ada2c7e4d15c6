package io.osmhub.core.lint;

import java.util.List;

/** Checks the syntax of a shell script without running it. A port: it takes a shell, which core does not start. */
public interface ScriptChecker {
    /** One fault of a script; {@code line} counts from 1. */
    record Fault(int line, String message) {}

    /** Finds nothing; for callers without a shell. */
    ScriptChecker NONE = (interpreter, script) -> List.of();

    /**
     * Checks one script.
     *
     * @param interpreter name of the shell in its first line, for example {@code bash} or {@code sh}
     */
    List<Fault> check(String interpreter, String script);
}

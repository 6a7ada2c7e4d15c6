package io.osmhub.core.lint;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
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

    /** Reads the messages of {@code bash -n}: lines {@code FILE: line N: message}. */
    final class BashErrorParser {
        private static final Pattern LINE = Pattern.compile("^[^:]*: line (\\d{1,9}): (.*)$");
        private static final Pattern HEREDOC =
                Pattern.compile("here-document at line (\\d{1,9}) delimited by end-of-file \\(wanted `(.*)'\\)");

        private static final int MOST_LINES = 100;

        private BashErrorParser() {}

        static List<ScriptChecker.ScriptError> parse(String errors) {
            List<ScriptChecker.ScriptError> faults = new ArrayList<>();
            for (String text : errors.lines().limit(MOST_LINES).toList()) {
                Matcher matcher = LINE.matcher(text);
                // The line after a syntax error only repeats the script's line.
                if (!matcher.find() || matcher.group(2).startsWith("`")) {
                    continue;
                }
                Matcher heredoc = HEREDOC.matcher(matcher.group(2));
                faults.add(
                        heredoc.find()
                                ? new ScriptChecker.ScriptError(
                                        Integer.parseInt(heredoc.group(1)),
                                        "unterminated here-document; expected " + heredoc.group(2))
                                : new ScriptChecker.ScriptError(Integer.parseInt(matcher.group(1)), matcher.group(2)));
            }
            return faults;
        }
    }
}

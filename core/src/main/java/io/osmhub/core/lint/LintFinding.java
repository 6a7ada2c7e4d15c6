package io.osmhub.core.lint;

import io.osmhub.core.document.Position;

/**
 * One thing that is wrong with a profile.
 *
 * @param rule name of the check, for programs and for docs/lint.md
 * @param position in the file; {@link Position#NONE} when it is about the whole
 * @param field path in the profile, with the file's path or unit's name in parentheses where there is one
 * @param what the cause, with line and column in the content where it is about one
 * @param cure how to mend it; empty when the cause says it
 */
public record LintFinding(Severity severity, String rule, Position position, String field, String what, String cure) {}

package io.osmhub.core.lint;

/** How bad a finding is. */
public enum Severity {
    /** The profile, or a machine that uses it, does not work. */
    ERROR,
    /** It works, but hardly as it was meant. */
    WARNING
}

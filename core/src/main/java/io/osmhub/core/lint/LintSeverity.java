package io.osmhub.core.lint;

/** Severity of a finding. */
public enum LintSeverity {
    /** The profile, or a machine that uses it, does not work. */
    ERROR("error"),
    /** It works, but probably not as intended. */
    WARNING("warning"),
    /** Correct, but worth knowing. Not shown by the API or in status fields. */
    INFO("info");

    private final String wireName;

    LintSeverity(String word) {
        this.wireName = word;
    }

    /** The value in the output of the command line. */
    public String wireName() {
        return wireName;
    }
}

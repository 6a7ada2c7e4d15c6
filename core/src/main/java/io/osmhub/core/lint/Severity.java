package io.osmhub.core.lint;

/** How bad a finding is. */
public enum Severity {
    /** The profile, or a machine that uses it, does not work. */
    ERROR("error"),
    /** It works, but hardly as it was meant. */
    WARNING("warning"),
    /** Right, but worth knowing. Not shown by the API and in status fields. */
    INFO("info");

    private final String word;

    Severity(String word) {
        this.word = word;
    }

    /** As in the output of the command line. */
    public String word() {
        return word;
    }
}

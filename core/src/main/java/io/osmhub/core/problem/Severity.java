package io.osmhub.core.problem;

/** How bad a reason is. */
public enum Severity {
    /** Something is not published, or a node will not start. */
    ERROR("Error"),
    /** Works now, may come to that. */
    WARNING("Warning"),
    /** Normal, or heals by itself. */
    INFO("Info");

    private final String word;

    Severity(String word) {
        this.word = word;
    }

    /** As in status fields, metrics and documentation. */
    public String word() {
        return word;
    }
}

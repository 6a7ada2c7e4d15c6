package io.osmhub.core.problem;

/** Severity of a reason. */
public enum Severity {
    /** Something is not published, or a node will not start. */
    ERROR("Error"),
    /** Works now, but may become an error. */
    WARNING("Warning"),
    /** Normal, or resolves automatically. */
    INFO("Info");

    private final String wireName;

    Severity(String word) {
        this.wireName = word;
    }

    /** As in status fields, metrics and documentation. */
    public String wireName() {
        return wireName;
    }
}

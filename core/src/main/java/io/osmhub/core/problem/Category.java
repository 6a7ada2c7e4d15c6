package io.osmhub.core.problem;

import java.util.Locale;

/** Groups reasons; a metric label and a console filter. */
public enum Category {
    SUMMARY,
    CREDENTIALS,
    CONNECTION,
    SETTINGS,
    OWNERSHIP,
    PROFILE,
    MACHINE,
    PUBLISH,
    TOKEN,
    HUB;

    /** As in metrics and documentation. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}

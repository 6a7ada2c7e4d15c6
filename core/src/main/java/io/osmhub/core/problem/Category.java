package io.osmhub.core.problem;

import java.util.Locale;

/** What a reason is about; a label of metrics and a filter of the console. */
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
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

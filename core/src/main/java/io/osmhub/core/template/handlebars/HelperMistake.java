package io.osmhub.core.template.handlebars;

import org.jspecify.annotations.Nullable;

/** What a template did wrong, thrown through the library, which adds the place. */
final class HelperMistake extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String suggestion;

    HelperMistake(String message, @Nullable String suggestion) {
        super(message, null, false, false);
        this.suggestion = suggestion;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    @Nullable String suggestion() {
        return suggestion;
    }
}

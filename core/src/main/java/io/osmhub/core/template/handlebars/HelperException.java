package io.osmhub.core.template.handlebars;

import org.jspecify.annotations.Nullable;

/** A mistake in a template, thrown through the library, which adds the position. */
final class HelperException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable String suggestion;

    HelperException(String message, @Nullable String suggestion) {
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

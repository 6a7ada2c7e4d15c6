package io.osmhub.core.golang;

import org.jspecify.annotations.Nullable;

/**
 * An error or panic of a Go function. The message is Go's, a byte string as in {@link GoValue.GoString}, since functions pass it on as a
 * value. Has no stack trace, because it is a result rather than a bug.
 */
public final class GoCallException extends Exception {
    private static final long serialVersionUID = 1L;

    private final @Nullable String refused;

    public GoCallException(String message) {
        this(message, null);
    }

    private GoCallException(String message, @Nullable String refused) {
        super(message, null, false, false);
        this.refused = refused;
    }

    /** A feature of Go that is refused, for example {@code %U}; no function may catch this to go on without it. */
    public static GoCallException unsupported(String feature, String reason) {
        return new GoCallException(feature + " is not supported: " + reason, feature);
    }

    /** The refused feature; null for an error that Go has too. */
    public @Nullable String refused() {
        return refused;
    }

    /** The message as a byte string, never null. */
    public String text() {
        return String.valueOf(getMessage());
    }
}

package io.osmhub.core.version;

/** A text that is no version, or no constraint; the message says which and why. */
public final class InvalidVersion extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidVersion(String message) {
        super(message, null, false, false);
    }

    /** The message, never null. */
    public String text() {
        return String.valueOf(getMessage());
    }
}

package io.osmhub.core.version;

/** A text is not a valid version or constraint; the message states which and why. */
public final class InvalidVersionException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidVersionException(String message) {
        super(message, null, false, false);
    }

    /** The message, never null. */
    public String text() {
        return String.valueOf(getMessage());
    }
}

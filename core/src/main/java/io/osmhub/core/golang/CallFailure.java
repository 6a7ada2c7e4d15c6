package io.osmhub.core.golang;

/** The error that a Go function returned; the message is Go's. Carries no stack trace, because it is an answer and not a fault. */
public final class CallFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public CallFailure(String message) {
        super(message, null, false, false);
    }

    /** The message, never null. */
    public String text() {
        return String.valueOf(getMessage());
    }
}

package io.osmhub.core.golang;

/**
 * The error that a Go function returned, or what it panicked with. The message is Go's, a byte string as in {@link Str}, since
 * functions give it on as a value. Carries no stack trace, because it is an answer and not a fault.
 */
public final class CallFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public CallFailure(String message) {
        super(message, null, false, false);
    }

    /** The message as a byte string, never null. */
    public String text() {
        return String.valueOf(getMessage());
    }
}

package io.osmhub.core.golang;

/**
 * An error or panic of a Go function. The message is Go's, a byte string as in {@link GoValue.GoString}, since functions pass it on as a
 * value. Has no stack trace, because it is a result rather than a bug.
 */
public final class GoCallException extends Exception {
    private static final long serialVersionUID = 1L;

    public GoCallException(String message) {
        super(message, null, false, false);
    }

    /** The message as a byte string, never null. */
    public String text() {
        return String.valueOf(getMessage());
    }
}

package io.osmhub.core.golang;

/** A sandbox limit was reached: output, steps, depth or time. Ends the execution; functions must not catch it. */
public final class LimitExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** {@code message} names the limit and its value, for example {@code more than 4 MiB of output}. */
    public LimitExceededException(String message) {
        super(message, null, false, false);
    }
}

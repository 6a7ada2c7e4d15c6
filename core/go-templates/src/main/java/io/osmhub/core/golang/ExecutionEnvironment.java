package io.osmhub.core.golang;

/**
 * Everything that code inside a template can access: the budget of its rendering, but no clock, random source, file, network or
 * process environment. One instance serves one rendering on one thread.
 */
public interface ExecutionEnvironment {
    /** Limits nothing: for values that no template made. */
    ExecutionEnvironment UNLIMITED = new ExecutionEnvironment() {
        @Override
        public void charge(long steps, long bytes) {}

        @Override
        public void chargeOutput(long bytes) {}

        @Override
        public void enterLevel() {}

        @Override
        public void leaveLevel() {}

        @Override
        public void checkTimeLimit() {}

        @Override
        public void startFile() {}
    };

    /**
     * Charges work before it starts, so that nothing large is ever started: {@code steps} small steps and {@code bytes} of memory
     * for values.
     *
     * @throws LimitExceededException if a limit would be exceeded; it ends the whole execution
     */
    void charge(long steps, long bytes);

    /**
     * Charges text before it is appended to the rendered file. Not for text that stays a value.
     *
     * @throws LimitExceededException if the files together would be too large
     */
    void chargeOutput(long bytes);

    /**
     * Enters a level: a called template, an included snippet, a function called by a function. Each must be left with {@link
     * #leaveLevel()}, unless an error ends the execution.
     *
     * @throws LimitExceededException if it is too deep
     */
    void enterLevel();

    void leaveLevel();

    /**
     * Checks the time limit inside long work; {@link #charge} does so between pieces of work.
     *
     * @throws LimitExceededException if the time limit is exceeded
     */
    void checkTimeLimit();

    /** Starts the next file of a configuration, at the top level. All other charges count for all files together. */
    void startFile();

    /** A sandbox limit was reached: output, steps, depth or time. Ends the execution; functions must not catch it. */
    final class LimitExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final boolean byTheClock;

        /** {@code message} names the limit and its value, for example {@code more than 4 MiB of output}. */
        public LimitExceededException(String message) {
            this(message, false);
        }

        /** @param byTheClock for the limit of time */
        public LimitExceededException(String message, boolean byTheClock) {
            super(message, null, false, false);
            this.byTheClock = byTheClock;
        }

        /** Whether a busy machine may be the cause. */
        public boolean isByTheClock() {
            return byTheClock;
        }
    }
}

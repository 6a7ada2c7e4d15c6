package io.osmhub.sim.faults;

import java.time.Duration;

/** What becomes of one request. */
public sealed interface Verdict {
    /** It is answered as usual. */
    record Pass() implements Verdict {}

    /** It is not carried out and answered by an error; {@code retryAfter} is sent as a header unless it is zero. */
    record Fail(int code, Duration retryAfter) implements Verdict {}

    /** It is neither carried out nor answered, while the connection lives. */
    record Hang() implements Verdict {}

    /** It is not carried out, and its connection is closed. */
    record Drop() implements Verdict {}

    /** It is carried out, but its connection is closed instead of an answer: the caller cannot know. */
    record DropAnswer() implements Verdict {}

    /** It is carried out, but answered by an error: the caller believes that it failed. */
    record FailAnswer(int code) implements Verdict {}

    /** It is answered by what is to use up the caller's memory. */
    record Attacked(Attack by) implements Verdict {}

    /** The usual. */
    Verdict PASS = new Pass();

    /** An error without further advice. */
    static Verdict fail(int code) {
        return new Fail(code, Duration.ZERO);
    }
}

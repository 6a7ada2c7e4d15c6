package io.osmhub.sim.faults;

import java.time.Duration;

/** What becomes of one request. */
public sealed interface FaultAction {
    /** It is answered as usual. */
    record Pass() implements FaultAction {}

    /** It is not carried out and answered by an error; {@code retryAfter} is sent as a header unless it is zero. */
    record Fail(int code, Duration retryAfter) implements FaultAction {}

    /** It is neither carried out nor answered, while the connection lives. */
    record Hang() implements FaultAction {}

    /** It is not carried out, and its connection is closed. */
    record Drop() implements FaultAction {}

    /** It is carried out, but its connection is closed instead of an answer: the caller cannot know. */
    record DropResponse() implements FaultAction {}

    /** It is carried out, but answered by an error: the caller believes that it failed. */
    record FailResponse(int code) implements FaultAction {}

    /** It is answered by what is to use up the caller's memory. */
    record AttackResponse(MemoryAttack by) implements FaultAction {}

    /** The usual. */
    FaultAction PASS = new Pass();

    /** An error without further advice. */
    static FaultAction fail(int code) {
        return new Fail(code, Duration.ZERO);
    }
}

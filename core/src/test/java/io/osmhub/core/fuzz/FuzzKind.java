package io.osmhub.core.fuzz;

import java.time.Duration;

/** One thing that reads what tenants write. */
interface FuzzKind {
    /** What came of a case that behaved. */
    enum Verdict {
        /** There was output. */
        ACCEPTED,
        /** It was refused in order. */
        REFUSED,
        /** A limit ended it. */
        LIMITED
    }

    String name();

    /** Of so many cases how many are of this kind, in relation to the others. */
    int weight();

    /** Makes a case; the same chance gives the same case. */
    FuzzInput make(Chance chance);

    /**
     * Runs a case. Every exception is a fault.
     *
     * @throws Misbehaviour when what came of it breaks a promise
     */
    Verdict run(FuzzInput input);

    /** More processor time than this is a fault: something was not charged. Wide, for a machine that does other things too. */
    default Duration cpuBudget(FuzzInput input) {
        return Duration.ofSeconds(5);
    }

    /** A promise is broken without an exception. */
    final class Misbehaviour extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Misbehaviour(String message) {
            super(message);
        }
    }
}

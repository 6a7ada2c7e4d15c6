package io.osmhub.core.fuzz;

import java.util.List;
import java.util.Map;

/**
 * What came of a run.
 *
 * @param cases how many ran
 * @param counts by kind: how many were accepted, refused, ended by a limit, and misbehaved
 * @param failures the first case of each fault
 * @param digest equal for two runs whose cases had the same verdicts
 */
public record FuzzReport(
        long seed,
        long cases,
        Map<String, Count> counts,
        List<FuzzFailure> failures,
        int digest,
        Extreme slowest,
        Extreme largest) {
    /** How the cases of one kind ended, and the processor time they took. */
    public record Count(long accepted, long refused, long limited, long failed, long nanos) {
        Count plus(Count other) {
            return new Count(
                    accepted + other.accepted,
                    refused + other.refused,
                    limited + other.limited,
                    failed + other.failed,
                    nanos + other.nanos);
        }
    }

    /** The case that took most of something; {@code amount} in nanoseconds of processor time or in bytes allocated. */
    public record Extreme(long number, long amount) {
        Extreme or(long otherNumber, long otherAmount) {
            return otherAmount > amount ? new Extreme(otherNumber, otherAmount) : this;
        }
    }

    public FuzzReport {
        failures = List.copyOf(failures);
    }
}

package io.osmhub.tenancy.concern;

import io.osmhub.core.problem.Reason;
import java.time.Instant;

/**
 * A problem that is no tenant's.
 *
 * @param object what has it, such as the name of a Lease
 * @param since when it was first seen
 */
public record HubProblem(String object, Reason reason, String message, Instant since) {
    /** Whether both are one problem, which may have gone on since the other was seen. */
    public boolean isSameAs(HubProblem other) {
        return reason == other.reason && object.equals(other.object);
    }
}

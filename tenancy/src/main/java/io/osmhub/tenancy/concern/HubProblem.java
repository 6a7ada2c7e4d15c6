package io.osmhub.tenancy.concern;

import io.osmhub.core.problem.Reason;
import java.time.Instant;

/**
 * A problem of the hub itself.
 *
 * @param object the affected object, such as the name of a Lease
 * @param since when it was first detected
 */
public record HubProblem(String object, Reason reason, String message, Instant since) {
    /** Whether both are the same problem, regardless of its message. */
    public boolean isSameAs(HubProblem other) {
        return reason == other.reason && object.equals(other.object);
    }
}

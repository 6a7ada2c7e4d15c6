package io.osmhub.tenancy.registry;

import io.osmhub.core.problem.Reason;

/** What the hub does about one WorkerCluster. */
public sealed interface Standing {
    /** It is the tenant of its namespace. */
    record Served() implements Standing {}

    /** Somebody deletes it: cleaned up, then let go. */
    record Leaving() implements Standing {}

    /** It may not be served; the reason and its message go into its status. */
    record Refused(Reason reason, String message) implements Standing {}

    /** Its namespace is none of this hub's: nothing of it is touched, also not its status. */
    record NotOurs() implements Standing {}
}

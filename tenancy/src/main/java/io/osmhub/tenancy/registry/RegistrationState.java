package io.osmhub.tenancy.registry;

import io.osmhub.core.problem.ReasonMessage;

/** How the hub treats one WorkerCluster. */
public sealed interface RegistrationState {
    /** It is the tenant of its namespace. */
    record Served() implements RegistrationState {}

    /** Being deleted: cleaned up, then released. */
    record Deleting() implements RegistrationState {}

    /** It may not be served; the reason goes into its status. */
    record Refused(ReasonMessage why) implements RegistrationState {}

    /** Not in a namespace of this hub: it is not changed, not even its status. */
    record Unmanaged() implements RegistrationState {}
}

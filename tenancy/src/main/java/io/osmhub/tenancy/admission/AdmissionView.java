package io.osmhub.tenancy.admission;

import io.osmhub.tenancy.registry.RegistrationState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.Optional;

/**
 * Management cluster data for admission. Uses stored objects, so that every replica answers alike, whichever serves the tenant.
 * Must not block.
 */
public interface AdmissionView {
    /** A tenant by its WorkerCluster; empty if it does not exist or the caches are not synced. */
    Optional<AdmittedTenant> tenant(String namespace, String name);

    /** The tenant whose worker cluster is the management cluster; empty except in single-cluster mode. */
    Optional<AdmittedTenant> local();

    /** Whether a proposed WorkerCluster would be served. */
    RegistrationState standing(WorkerClusterRecord candidate);

    /** Whether a namespace exists and shares its profiles. */
    boolean offersProfiles(String namespace);
}

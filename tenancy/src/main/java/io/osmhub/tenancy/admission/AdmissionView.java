package io.osmhub.tenancy.admission;

import io.osmhub.tenancy.registry.Standing;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.Optional;

/**
 * What admission has to know of the management cluster. Answered from what is stored there, so that every replica answers alike,
 * whichever serves the tenant; never waits.
 */
public interface AdmissionView {
    /** A tenant by its WorkerCluster; empty when there is none, or nothing was read yet. */
    Optional<AdmittedTenant> tenant(String namespace, String name);

    /** The tenant whose worker cluster is the management cluster; empty but in the single-cluster mode. */
    Optional<AdmittedTenant> local();

    /** Whether a WorkerCluster as it is to be stored would be served. */
    Standing standing(WorkerClusterRecord candidate);

    /** Whether a namespace is there and offers its profiles to others. */
    boolean offersProfiles(String namespace);
}

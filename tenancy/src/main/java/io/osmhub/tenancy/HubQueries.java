package io.osmhub.tenancy;

import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Queries about single objects: stored ones, known to every replica, and live state, known only to the replica that serves the
 * tenant. Returns no credentials. The caller checks permissions.
 */
public interface HubQueries {
    /** The tenant of a namespace; empty if this replica does not serve it. */
    Optional<LiveTenant> live(String namespace);

    /** All tenants of this replica, by namespace. */
    List<LiveTenant> live();

    /** The WorkerCluster of a namespace. */
    Optional<WorkerClusterRecord> workerCluster(String namespace);

    /** All WorkerClusters, of all replicas. */
    Collection<WorkerClusterRecord> workerClusters();

    Optional<StoredProfile> profile(String namespace, String name);

    Optional<StoredConfig> config(String namespace, String name);

    /**
     * Reads the whole OperatingSystemConfig from the management cluster; blocks.
     *
     * @throws ApiFailure if it does not exist or cannot be read
     */
    OperatingSystemConfig read(StoredConfig config) throws ApiFailure;

    /**
     * Reads the whole profile from the management cluster as JSON; blocks.
     *
     * @throws ApiFailure if it does not exist or cannot be read
     */
    String read(StoredProfile profile) throws ApiFailure;

    /**
     * Runs rendering work on a preview thread; waits for its turn and rethrows exceptions.
     *
     * @param caller whose requests share a fair turn
     */
    <T> T compute(String caller, Supplier<T> work);

    /** Namespace of the profiles for all tenants. */
    String sharedProfileNamespace();
}

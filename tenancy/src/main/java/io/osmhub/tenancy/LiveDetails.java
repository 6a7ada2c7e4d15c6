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
 * One object at a time, for whoever looks closely: what is stored in the management cluster, which every replica knows, and what only
 * the replica knows that serves the tenant. Nothing of it is a credential. Who may see what is for the caller to ask.
 */
public interface LiveDetails {
    /** The tenant of a namespace; empty unless this replica serves it. */
    Optional<LiveTenant> live(String namespace);

    /** All that this replica serves, by namespace. */
    List<LiveTenant> live();

    /** The WorkerCluster that owns a namespace; empty without one. */
    Optional<WorkerClusterRecord> workerCluster(String namespace);

    /** All WorkerClusters, whoever serves them. */
    Collection<WorkerClusterRecord> workerClusters();

    Optional<StoredProfile> profile(String namespace, String name);

    Optional<StoredConfig> config(String namespace, String name);

    /**
     * The whole OperatingSystemConfig, read from the management cluster for this answer. Waits.
     *
     * @throws ApiFailure when it is not there or was not read
     */
    OperatingSystemConfig read(StoredConfig config) throws ApiFailure;

    /**
     * The whole profile as JSON, read from the management cluster for this answer. Waits.
     *
     * @throws ApiFailure when it is not there or was not read
     */
    String read(StoredProfile profile) throws ApiFailure;

    /**
     * Computes something that renders, on the threads of previews. Waits for its turn. What it throws is thrown here.
     *
     * @param caller with whom the work takes turns
     */
    <T> T compute(String caller, Supplier<T> work);

    /** Namespace of the profiles that all tenants may use. */
    String sharedProfileNamespace();
}

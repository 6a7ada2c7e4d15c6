package io.osmhub.tenancy;

import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.watch.StoredObjectListener;

/** Listeners for an inventory of the management cluster's objects, including those of other replicas' tenants. */
public record StoredObjectListeners(
        StoredObjectListener<WorkerClusterRecord> workerClusters,
        StoredObjectListener<StoredProfile> profiles,
        StoredObjectListener<ListedConfig> configs) {

    public static StoredObjectListeners noop() {
        return new StoredObjectListeners(
                StoredObjectListener.noop(), StoredObjectListener.noop(), StoredObjectListener.noop());
    }
}

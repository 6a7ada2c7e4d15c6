package io.osmhub.tenancy;

import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.watch.StoredListener;

/** Whoever keeps an inventory of what is stored in the management cluster: hears of every object, also of tenants of other replicas. */
public record StoredObjects(
        StoredListener<WorkerClusterRecord> workerClusters,
        StoredListener<StoredProfile> profiles,
        StoredListener<ListedConfig> configs) {

    /** Nobody keeps one. */
    public static StoredObjects toNobody() {
        return new StoredObjects(StoredListener.nobody(), StoredListener.nobody(), StoredListener.nobody());
    }
}

package io.osmhub.tenancy;

import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.watch.StoredListener;

/** Whoever keeps an inventory of what is stored in the management cluster: hears of every object, also of tenants of other replicas. */
public interface StoredObjects {
    StoredListener<WorkerClusterRecord> workerClusters();

    StoredListener<StoredProfile> profiles();

    StoredListener<ListedConfig> configs();

    /** Nobody keeps one. */
    static StoredObjects toNobody() {
        return new StoredObjects() {
            @Override
            public StoredListener<WorkerClusterRecord> workerClusters() {
                return StoredListener.nobody();
            }

            @Override
            public StoredListener<StoredProfile> profiles() {
                return StoredListener.nobody();
            }

            @Override
            public StoredListener<ListedConfig> configs() {
                return StoredListener.nobody();
            }
        };
    }
}

package io.osmhub.tenancy;

import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.watch.WatchHistory;

/** Past states of the three kinds of an inventory that the management cluster still has. */
public record ManagementHistory(
        WatchHistory<WorkerClusterRecord> workerClusters,
        WatchHistory<StoredProfile> profiles,
        WatchHistory<ListedConfig> configs) {}

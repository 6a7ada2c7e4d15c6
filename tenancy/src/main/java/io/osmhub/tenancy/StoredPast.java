package io.osmhub.tenancy;

import io.osmhub.tenancy.catalog.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.watch.Past;

/** What the management cluster still knows of the past of the three kinds that an inventory is made of. */
public record StoredPast(
        Past<WorkerClusterRecord> workerClusters, Past<StoredProfile> profiles, Past<ListedConfig> configs) {}

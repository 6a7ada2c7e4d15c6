package io.osmhub.tenancy;

import io.osmhub.tenancy.catalog.Profiles;
import io.osmhub.tenancy.catalog.StoredConfigs;
import io.osmhub.tenancy.registry.WorkerClusters;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchListener;
import java.util.function.Function;

/** What an inventory is made of, for a process that only reads: the three kinds of the management cluster, watched for nobody else. */
public final class StoredReading implements AutoCloseable {
    private final KubeApi management;
    private final WorkerClusters clusters;
    private final Profiles profiles;
    private final StoredConfigs configs;

    /**
     * Reads nothing yet.
     *
     * @param namespace the only one to read; empty for all
     * @param stored hears of everything
     * @param fortunes hears how the watch of a kind fares
     */
    public StoredReading(
            KubeApi management,
            String namespace,
            StoredObjects stored,
            Function<Resource, WatchListener> fortunes,
            Surroundings around) {
        this.management = management;
        this.clusters = new WorkerClusters(
                management,
                namespace,
                (key, before, after, origin) -> {},
                stored.workerClusters(),
                fortunes.apply(Resource.WORKER_CLUSTERS),
                around);
        this.profiles = new Profiles(
                namespace,
                other -> false,
                () -> true,
                (key, before, after, content) -> {},
                stored.profiles(),
                fortunes.apply(Resource.OPERATING_SYSTEM_PROFILES),
                around);
        this.configs = new StoredConfigs(
                namespace,
                () -> true,
                (key, before, after, origin) -> {},
                stored.configs(),
                fortunes.apply(Resource.OPERATING_SYSTEM_CONFIGS),
                around);
    }

    /** Reads all, and goes on to follow it until it is closed. */
    public void start() {
        clusters.start();
        profiles.start(management);
        configs.start(management);
    }

    /** Whether all was read once. */
    public boolean isSynced() {
        return clusters.isSynced() && profiles.isSynced() && configs.isSynced();
    }

    public WorkerClusters workerClusters() {
        return clusters;
    }

    public Profiles profiles() {
        return profiles;
    }

    public StoredConfigs configs() {
        return configs;
    }

    public StoredPast past() {
        return new StoredPast(clusters.past(), profiles.past(management), configs.past(management));
    }

    @Override
    public void close() {
        clusters.stop();
        profiles.stop();
        configs.stop();
    }
}

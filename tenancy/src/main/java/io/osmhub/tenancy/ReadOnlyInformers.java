package io.osmhub.tenancy;

import io.osmhub.tenancy.Hub.StoredObjectListeners;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.registry.WorkerClusterStore;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.function.Function;

/** Informers for the three kinds of an inventory, for a process that only reads. */
public final class ReadOnlyInformers implements AutoCloseable {
    private final KubeApi management;
    private final WorkerClusterStore clusters;
    private final ProfileCache profiles;
    private final ConfigCache configs;

    /**
     * @param namespace the only one to read; empty for all
     * @param stored notified about every object
     * @param fortunes creates the listener for the watch of a kind
     */
    public ReadOnlyInformers(
            KubeApi management,
            String namespace,
            StoredObjectListeners stored,
            Function<Resource, ListWatchListener> fortunes,
            RuntimeContext around) {
        this.management = management;
        this.clusters = new WorkerClusterStore(
                management,
                namespace,
                (key, before, after, origin) -> {},
                stored.workerClusters(),
                fortunes.apply(Resource.WORKER_CLUSTERS),
                around);
        this.profiles = new ProfileCache(
                namespace,
                other -> false,
                () -> true,
                (key, before, after, content) -> {},
                stored.profiles(),
                fortunes.apply(Resource.OPERATING_SYSTEM_PROFILES),
                around);
        this.configs = new ConfigCache(
                namespace,
                () -> true,
                (key, before, after, origin) -> {},
                stored.configs(),
                fortunes.apply(Resource.OPERATING_SYSTEM_CONFIGS),
                around);
    }

    /** Lists and watches everything until closed. */
    public void start() {
        clusters.start();
        profiles.start(management);
        configs.start(management);
    }

    /** Whether all initial lists are complete. */
    public boolean isSynced() {
        return clusters.isSynced() && profiles.isSynced() && configs.isSynced();
    }

    public WorkerClusterStore workerClusters() {
        return clusters;
    }

    public ProfileCache profiles() {
        return profiles;
    }

    public ConfigCache configs() {
        return configs;
    }

    @Override
    public void close() {
        clusters.stop();
        profiles.stop();
        configs.stop();
    }
}

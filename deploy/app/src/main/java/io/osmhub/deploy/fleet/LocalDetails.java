package io.osmhub.deploy.fleet;

import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.LiveTenant;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterStore;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Single stored objects. Without a hub, no live state is available. */
record LocalDetails(WorkerClusterStore clusters, ProfileCache shelf, ConfigCache stored) implements HubQueries {
    @Override
    public Optional<LiveTenant> live(String namespace) {
        return Optional.empty();
    }

    @Override
    public List<LiveTenant> live() {
        return List.of();
    }

    @Override
    public Optional<WorkerClusterRecord> workerCluster(String namespace) {
        return clusters.in(namespace).stream().min(WorkerClusterRecord.OLDEST_FIRST);
    }

    @Override
    public Collection<WorkerClusterRecord> workerClusters() {
        return clusters.all();
    }

    @Override
    public Optional<StoredProfile> profile(String namespace, String name) {
        return Optional.ofNullable(shelf.in(namespace).get(name));
    }

    @Override
    public Optional<StoredConfig> config(String namespace, String name) {
        return Optional.ofNullable(stored.find(namespace, name));
    }

    @Override
    public OperatingSystemConfig read(StoredConfig config) throws ApiFailure {
        throw notRead();
    }

    @Override
    public String read(StoredProfile profile) throws ApiFailure {
        throw notRead();
    }

    private static ApiFailure notRead() {
        return ApiFailure.withoutResponse(
                ApiFailure.ApiFailureKind.UNREADABLE, "complete objects are not read for a diagnosis");
    }

    @Override
    public <T> T compute(String caller, Supplier<T> work) {
        return work.get();
    }

    @Override
    public String sharedProfileNamespace() {
        return "";
    }
}

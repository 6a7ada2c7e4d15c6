package io.osmhub.tenancy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigReader;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.registry.WorkerClusterStore;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

final class HubQueryService implements HubQueries {
    private final KubeApi management;
    private final InventoryCaches stored;
    private final TenantSupervisor supervisor;
    private final LiveTenant.PreviewDependencies tools;

    record InventoryCaches(WorkerClusterStore clusters, ProfileCache profiles, ConfigCache configs) {}

    HubQueryService(
            KubeApi management,
            InventoryCaches stored,
            TenantSupervisor supervisor,
            LiveTenant.PreviewDependencies tools) {
        this.management = management;
        this.stored = stored;
        this.supervisor = supervisor;
        this.tools = tools;
    }

    @Override
    public Optional<LiveTenant> live(String namespace) {
        return supervisor.running().in(namespace).stream()
                .min(Comparator.comparing(RunningTenant::record, WorkerClusterRecord.OLDEST_FIRST))
                .map(tenant -> tenant.toLiveTenant(tools));
    }

    @Override
    public List<LiveTenant> live() {
        return supervisor.running().all().stream()
                .sorted(Comparator.comparing(
                                (RunningTenant tenant) -> tenant.record().namespace())
                        .thenComparing(RunningTenant::record, WorkerClusterRecord.OLDEST_FIRST))
                .map(tenant -> tenant.toLiveTenant(tools))
                .toList();
    }

    @Override
    public Optional<WorkerClusterRecord> workerCluster(String namespace) {
        return stored.clusters().in(namespace).stream().min(WorkerClusterRecord.OLDEST_FIRST);
    }

    @Override
    public Collection<WorkerClusterRecord> workerClusters() {
        return stored.clusters().all();
    }

    @Override
    public Optional<StoredProfile> profile(String namespace, String name) {
        return Optional.ofNullable(stored.profiles().in(namespace).get(name));
    }

    @Override
    public Optional<StoredConfig> config(String namespace, String name) {
        return Optional.ofNullable(stored.configs().find(namespace, name));
    }

    @Override
    public OperatingSystemConfig read(StoredConfig config) throws ApiFailure {
        byte[] answer =
                management.send(ApiRequest.get(Resource.OPERATING_SYSTEM_CONFIGS, config.namespace(), config.name()));
        try {
            JsonNode object = WireJson.response(answer, "the requested OperatingSystemConfig");
            return new OperatingSystemConfigReader()
                    .read(SourceDocument.of("OperatingSystemConfig " + config.name(), object));
        } catch (TenantMistake e) {
            // The content is not quoted: an object that OSM left contains credentials.
            throw WireJson.unexpected("the requested OperatingSystemConfig");
        }
    }

    @Override
    public String read(StoredProfile profile) throws ApiFailure {
        byte[] answer = management.send(
                ApiRequest.get(Resource.OPERATING_SYSTEM_PROFILES, profile.namespace(), profile.name()));
        JsonNode object = WireJson.response(answer, "the requested OperatingSystemProfile");
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return WireJson.text(object);
    }

    @Override
    public <T> T compute(String caller, Supplier<T> work) {
        // Namespaces contain no space, so a caller never shares a turn with a tenant.
        return tools.threads().call("caller " + caller, work);
    }

    @Override
    public String sharedProfileNamespace() {
        return tools.settings().get().sharedProfileNamespace();
    }
}

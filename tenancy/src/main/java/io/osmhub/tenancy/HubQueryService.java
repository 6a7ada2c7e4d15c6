package io.osmhub.tenancy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
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
    private static final int PREVIEWED_PROFILES = 16;

    private final HubContext hub;
    private final ManagementStores stores;
    private final TenantSupervisor tenantSupervisor;
    private final LiveTenant.PreviewDependencies previews;

    HubQueryService(HubContext hub, TenantSupervisor tenantSupervisor) {
        this.hub = hub;
        this.stores = hub.stores();
        this.tenantSupervisor = tenantSupervisor;
        this.previews = new LiveTenant.PreviewDependencies(
                hub.environment().runDependencies().decider().createPreviewer(),
                hub.dependencies().previews(),
                new CompiledProfileCache(hub.dependencies().engines(), PREVIEWED_PROFILES),
                hub::settings);
    }

    @Override
    public Optional<LiveTenant> live(String namespace) {
        return tenantSupervisor.in(namespace).stream()
                .min(Comparator.comparing(RunningTenant::record, WorkerClusterRecord.OLDEST_FIRST))
                .map(tenant -> tenant.toLiveTenant(previews));
    }

    @Override
    public List<LiveTenant> live() {
        return tenantSupervisor.all().stream()
                .sorted(Comparator.comparing(
                                (RunningTenant tenant) -> tenant.record().namespace())
                        .thenComparing(RunningTenant::record, WorkerClusterRecord.OLDEST_FIRST))
                .map(tenant -> tenant.toLiveTenant(previews))
                .toList();
    }

    @Override
    public Optional<WorkerClusterRecord> workerCluster(String namespace) {
        return stores.workerClusters().recordsIn(namespace).stream().min(WorkerClusterRecord.OLDEST_FIRST);
    }

    @Override
    public Collection<WorkerClusterRecord> workerClusters() {
        return stores.workerClusters().all();
    }

    @Override
    public Optional<StoredProfile> profile(String namespace, String name) {
        return Optional.ofNullable(stores.profiles().in(namespace).get(name));
    }

    @Override
    public Optional<StoredConfig> config(String namespace, String name) {
        return Optional.ofNullable(stores.configs().findConfig(namespace, name));
    }

    @Override
    public OperatingSystemConfig read(StoredConfig config) throws ApiFailure {
        byte[] answer =
                management().send(ApiRequest.get(Resource.OPERATING_SYSTEM_CONFIGS, config.namespace(), config.name()));
        try {
            JsonNode object = WireJson.response(answer, "the requested OperatingSystemConfig");
            return OperatingSystemConfig.read(
                    SourceDocument.of(ProblemObject.of("OperatingSystemConfig", config.name()), object));
        } catch (TenantMistake e) {
            // The content is not quoted: an object that OSM left contains credentials.
            throw WireJson.unexpected("the requested OperatingSystemConfig");
        }
    }

    @Override
    public String read(StoredProfile profile) throws ApiFailure {
        byte[] answer = management()
                .send(ApiRequest.get(Resource.OPERATING_SYSTEM_PROFILES, profile.namespace(), profile.name()));
        JsonNode object = WireJson.response(answer, "the requested OperatingSystemProfile");
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return WireJson.text(object);
    }

    @Override
    public <T> T compute(String caller, Supplier<T> work) {
        // Namespaces contain no space, so a caller never shares a turn with a tenant.
        return previews.renderExecutor().call("caller " + caller, work);
    }

    @Override
    public String sharedProfileNamespace() {
        return hub.settings().sharedProfileNamespace();
    }

    private KubeApi management() {
        return hub.dependencies().management();
    }
}

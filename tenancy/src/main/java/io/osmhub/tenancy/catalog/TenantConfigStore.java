package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigWriter;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Problem;
import io.osmhub.tenancy.management.StatusWriter;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.ConfigStore;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The OperatingSystemConfigs of one tenant; reads and writes only its namespace. */
public final class TenantConfigStore implements ConfigStore {
    private final String namespace;
    private final ConfigCache configCache;
    private final StatusWriter statuses;
    private final KubeApi managementApi;

    public TenantConfigStore(String namespace, ConfigCache configCache, StatusWriter statuses, KubeApi managementApi) {
        this.namespace = namespace;
        this.configCache = configCache;
        this.statuses = statuses;
        this.managementApi = managementApi;
    }

    /** With its latest status, which may be queued: the next one continues its history and times. */
    @Override
    public @Nullable StoredConfig find(String name) {
        StoredConfig found = configCache.findConfig(namespace, name);
        JsonNode queued = found == null ? null : statuses.findQueued(configCache, namespace, name);
        return found == null || queued == null
                ? found
                : found.withStatus(WireJson.compact(OperatingSystemConfigStatus.class, queued));
    }

    @Override
    public Collection<StoredConfig> all() {
        return configCache.configsIn(namespace);
    }

    @Override
    public @Nullable Problem unreadable(String name) {
        return configCache.unreadable(namespace, name);
    }

    @Override
    public boolean hasStatusSubresource() {
        return configCache.hasStatusSubresource();
    }

    @Override
    public StoredConfig create(OperatingSystemConfig config, Map<String, String> ownAnnotations) throws ApiFailure {
        return cacheResponse(managementApi.send(ApiRequest.create(
                Resource.OPERATING_SYSTEM_CONFIGS,
                namespace,
                OperatingSystemConfigWriter.object(withOwnership(config, ownAnnotations)))));
    }

    @Override
    public StoredConfig patch(StoredConfig found, String patch) throws ApiFailure {
        requireOwned(found);
        return cacheResponse(managementApi.send(ApiRequest.patch(
                Resource.OPERATING_SYSTEM_CONFIGS, namespace, found.name(), ApiRequest.MERGE_PATCH, patch)));
    }

    @Override
    public StoredConfig replace(StoredConfig found, OperatingSystemConfig config, Map<String, String> ownAnnotations)
            throws ApiFailure {
        requireOwned(found);
        // With the version found, so that another writer's change causes a conflict instead of being lost.
        managementApi.send(ApiRequest.delete(
                Resource.OPERATING_SYSTEM_CONFIGS, namespace, found.name(), found.uid(), found.resourceVersion()));
        configCache.deleted(found);
        return create(config, ownAnnotations);
    }

    @Override
    public void delete(StoredConfig found) throws ApiFailure {
        requireOwned(found);
        try {
            managementApi.send(
                    ApiRequest.delete(Resource.OPERATING_SYSTEM_CONFIGS, namespace, found.name(), found.uid(), null));
        } catch (ApiFailure e) {
            // A conflict means that the name belongs to another object, so {@code found} is deleted.
            if (!e.isNotFound() && !e.isConflict()) {
                throw e;
            }
        }
        configCache.deleted(found);
    }

    /** Deletes all that the hub created for MachineDeployments of this tenant, on its removal. */
    public void deleteOwned() throws ApiFailure {
        for (StoredConfig config : all()) {
            if (config.annotations().containsKey(OwnershipAnnotations.OWNER)) {
                delete(config);
            }
        }
    }

    @Override
    public void enqueueStatus(String name, OperatingSystemConfigStatus status) {
        StoredConfig found = configCache.findConfig(namespace, name);
        // A new version of the hub changes the hash of every MachineDeployment.
        boolean minor = found != null && found.status() != null && status.equalsExceptHash(found.status());
        statuses.enqueue(configCache, namespace, name, WireJson.tree(status), minor);
    }

    private OperatingSystemConfig withOwnership(OperatingSystemConfig config, Map<String, String> ownAnnotations) {
        Map<String, String> annotations = new HashMap<>(ownAnnotations);
        annotations.putAll(config.annotations());
        return new OperatingSystemConfig(namespace, config.name(), annotations, config.spec());
    }

    private void requireOwned(StoredConfig config) {
        if (!config.namespace().equals(namespace)) {
            throw new IllegalArgumentException(
                    "OperatingSystemConfig of namespace " + config.namespace() + " in the store of " + namespace);
        }
    }

    private StoredConfig cacheResponse(byte[] answer) throws ApiFailure {
        try {
            return configCache.cacheResponse(answer);
        } catch (IOException e) {
            throw WireJson.unexpected("the written OperatingSystemConfig");
        }
    }
}

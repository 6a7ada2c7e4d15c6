package io.osmhub.tenancy.catalog;

import io.osmhub.core.osc.ConfigWriter;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.status.StatusLane;
import io.osmhub.tenancy.wire.WireJson;
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

/** The OperatingSystemConfigs of one tenant: whatever is asked of it, it reads and writes that one namespace. */
public final class TenantConfigs implements ConfigStore {
    private final String namespace;
    private final StoredConfigs stored;
    private final StatusLane statuses;
    private final KubeApi management;

    public TenantConfigs(String namespace, StoredConfigs stored, StatusLane statuses, KubeApi management) {
        this.namespace = namespace;
        this.stored = stored;
        this.statuses = statuses;
        this.management = management;
    }

    @Override
    public @Nullable StoredConfig find(String name) {
        return stored.find(namespace, name);
    }

    @Override
    public Collection<StoredConfig> all() {
        return stored.in(namespace);
    }

    @Override
    public boolean keepsStatus() {
        return stored.keepsStatus();
    }

    @Override
    public StoredConfig create(OperatingSystemConfig config, Map<String, String> ownAnnotations) throws ApiFailure {
        return take(management.send(ApiRequest.create(
                Resource.OPERATING_SYSTEM_CONFIGS, namespace, ConfigWriter.object(ours(config, ownAnnotations)))));
    }

    @Override
    public StoredConfig replace(StoredConfig found, OperatingSystemConfig config, Map<String, String> ownAnnotations)
            throws ApiFailure {
        requireOurs(found);
        // The version that was found: what somebody else wrote meanwhile is a conflict and not lost.
        management.send(ApiRequest.delete(
                Resource.OPERATING_SYSTEM_CONFIGS, namespace, found.name(), found.uid(), found.resourceVersion()));
        stored.deleted(found);
        return create(config, ownAnnotations);
    }

    @Override
    public void delete(StoredConfig found) throws ApiFailure {
        requireOurs(found);
        try {
            management.send(
                    ApiRequest.delete(Resource.OPERATING_SYSTEM_CONFIGS, namespace, found.name(), found.uid(), null));
        } catch (ApiFailure e) {
            // A conflict: another object has that name by now, so the one that was found is gone.
            if (!e.isNotFound() && !e.isConflict()) {
                throw e;
            }
        }
        stored.deleted(found);
    }

    /** Deletes all that the hub made for MachineDeployments of this tenant, when the tenant goes. */
    public void deleteOwned() throws ApiFailure {
        for (StoredConfig config : all()) {
            if (config.annotations().containsKey(Marks.OWNER)) {
                delete(config);
            }
        }
    }

    @Override
    public void offerStatus(String name, OperatingSystemConfigStatus status) {
        statuses.offer(stored, namespace, name, WireJson.tree(status));
    }

    private OperatingSystemConfig ours(OperatingSystemConfig config, Map<String, String> ownAnnotations) {
        Map<String, String> annotations = new HashMap<>(ownAnnotations);
        annotations.putAll(config.annotations());
        return new OperatingSystemConfig(namespace, config.name(), annotations, config.spec());
    }

    private void requireOurs(StoredConfig config) {
        if (!config.namespace().equals(namespace)) {
            throw new IllegalArgumentException(
                    "OperatingSystemConfig of namespace " + config.namespace() + " in the store of " + namespace);
        }
    }

    private StoredConfig take(byte[] answer) throws ApiFailure {
        try {
            return stored.taken(answer);
        } catch (IOException e) {
            throw ApiFailure.noAnswer(
                    ApiFailure.Cause.UNREADABLE, "unexpected response: not the written OperatingSystemConfig");
        }
    }
}

package io.osmhub.tenancy.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileAccess;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.SettingsResolver.MergedSettings;
import io.osmhub.tenancy.settings.SettingsResolver.OwnSettings;
import io.osmhub.tenancy.settings.SettingsResolver.ResolvedSettings;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The resolved settings of one tenant. Read by many threads, resolved by one at a time. */
public final class CurrentTenantSettings {
    private final SettingsSources sources;
    private final ReferencedObjectCache objects;
    private final ReferencedObjectCache workerObjects;
    private final SettingsResolver resolver;
    /** What {@link #merged} is derived from. */
    private @Nullable LayerSources layerSources;

    /** Read and merged again only when a source changed. */
    private @Nullable MergedSettings merged;

    private volatile ProfileAccess profileAccess;
    private volatile @Nullable ResolvedSettings resolved;

    /**
     * What a tenant's settings are derived from beside its WorkerCluster.
     *
     * @param hub current settings of the hub
     * @param platform settings from the objects of the platform that runs the worker cluster
     * @param namespaces returns null for an unknown one
     */
    public record SettingsSources(
            Supplier<HubSettings> hub,
            Function<WorkerClusterRecord, OwnSettings> platform,
            Function<String, @Nullable NamespaceRecord> namespaces) {}

    private record LayerSources(JsonNode spec, OwnSettings platform, SettingsLayer defaults) {}

    /**
     * @param ofFlags whether the hub's settings are OSM's flags, which may reference Secrets of other namespaces
     * @param changed called when a referenced object changed; must not block
     */
    public CurrentTenantSettings(
            String namespace,
            boolean ofFlags,
            SettingsSources sources,
            KubeApi management,
            Runnable changed,
            RuntimeContext runtime) {
        this.sources = sources;
        this.objects = new ReferencedObjectCache(management, changed, runtime);
        this.workerObjects = new ReferencedObjectCache(null, changed, runtime);
        SettingsValidator validator = new SettingsValidator(
                () -> sources.hub()
                        .get()
                        .kubeconfigPolicy()
                        .forNamespace(
                                NamespaceRecord.labelsOf(sources.namespaces().apply(namespace))),
                sources.namespaces(),
                runtime.scheduler()::now);
        this.resolver = new SettingsResolver(namespace, objects, workerObjects, validator, ofFlags);
        this.profileAccess = ProfileAccess.own(namespace);
    }

    /** Connection settings, needed before any referenced object is read. */
    public TenantSettings.Connection connectionSettings(WorkerClusterRecord record) {
        return merge(record).settings().connection();
    }

    private MergedSettings merge(WorkerClusterRecord record) {
        OwnSettings platform = sources.platform().apply(record);
        SettingsLayer defaults = sources.hub().get().defaults();
        LayerSources current = new LayerSources(record.settings(), platform, defaults);
        MergedSettings last = merged;
        if (last != null && current.equals(layerSources)) {
            return last;
        }
        OwnSettings own = SettingsResolver.read(record.describe(), record.settings());
        MergedSettings now = MergedSettings.of(own, platform, defaults);
        layerSources = current;
        merged = now;
        return now;
    }

    /** Sets the connection to the worker cluster for references to its objects; null without one. */
    public void connect(@Nullable KubeApi worker) {
        workerObjects.connect(worker);
    }

    public void resolve(WorkerClusterRecord record, String kubeconfigCa) {
        ResolvedSettings now = resolver.resolve(record.describe(), merge(record), kubeconfigCa);
        ResolvedSettings before = resolved;
        if (!now.complete() && before != null && before.complete()) {
            // A newly referenced object is still being read: keep the current settings until then.
            return;
        }
        resolved = now;
        profileAccess = ProfileAccess.of(record.namespace(), now.settings().profiles());
    }

    /** Null before the first resolution. */
    public @Nullable ResolvedSettings resolved() {
        return resolved;
    }

    public ProfileAccess profileAccess() {
        return profileAccess;
    }

    public void close() {
        objects.close();
        workerObjects.close();
    }
}

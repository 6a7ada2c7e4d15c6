package io.osmhub.tenancy.settings;

import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileAccess;
import io.osmhub.tenancy.namespace.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.SettingsResolver.OperatorSettings;
import io.osmhub.tenancy.settings.SettingsResolver.OwnSettings;
import io.osmhub.tenancy.settings.SettingsResolver.ResolvedSettings;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The resolved settings of one tenant. Read by many threads, resolved by one at a time. */
public final class CurrentTenantSettings {
    private final Supplier<HubSettings> settings;
    private final ReferencedObjectCache objects;
    private final ReferencedObjectCache workerObjects;
    private final SettingsResolver resolver;
    private final Function<WorkerClusterRecord, OwnSettings> platform;
    private volatile @Nullable SettingsLayer operator;
    private volatile ProfileAccess rights;
    private volatile @Nullable ResolvedSettings resolved;

    /**
     * @param operator replaces the WorkerCluster's settings; null to use those
     * @param platform settings from the objects of the platform that runs the worker cluster
     * @param settings of the hub
     * @param namespaces returns null for an unknown one
     * @param changed called when a referenced object changed; must not block
     */
    public CurrentTenantSettings(
            String namespace,
            @Nullable OperatorSettings operator,
            KubeApi management,
            Function<WorkerClusterRecord, OwnSettings> platform,
            Supplier<HubSettings> settings,
            Function<String, @Nullable NamespaceRecord> namespaces,
            Runnable changed,
            RuntimeContext runtime) {
        this.platform = platform;
        this.settings = settings;
        this.operator = operator == null ? null : operator.flags();
        this.objects = new ReferencedObjectCache(management, changed, runtime);
        this.workerObjects = new ReferencedObjectCache(null, changed, runtime);
        SettingsValidator checks = new SettingsValidator(
                namespace,
                () -> settings.get().kubeconfigRules(namespaces.apply(namespace)),
                namespaces,
                runtime.scheduler()::now);
        this.resolver = new SettingsResolver(namespace, objects, workerObjects, checks, operator);
        this.rights = ProfileAccess.own(namespace);
    }

    /** Connection settings, needed before any referenced object is read. */
    public TenantSettings.Connection connectionSettings(WorkerClusterRecord record) {
        return new LayeredSettings(
                        own(record).layer(),
                        platform.apply(record).layer(),
                        settings.get().defaults())
                .toTenantSettings()
                .connection();
    }

    private OwnSettings own(WorkerClusterRecord record) {
        SettingsLayer flags = operator;
        return flags == null ? SettingsResolver.read(record.describe(), record.settings()) : OwnSettings.of(flags);
    }

    /** Changes the operator's settings from the next {@link #resolve} on. */
    public void operator(SettingsLayer flags) {
        operator = flags;
    }

    /** Sets the connection to the worker cluster for references to its objects; null without one. */
    public void connect(@Nullable KubeApi worker) {
        workerObjects.connect(worker);
    }

    public void resolve(WorkerClusterRecord record, String kubeconfigCa) {
        ResolvedSettings now = resolver.resolve(
                record.describe(),
                own(record),
                platform.apply(record),
                settings.get().defaults(),
                kubeconfigCa);
        ResolvedSettings before = resolved;
        if (!now.complete() && before != null && before.complete()) {
            // A newly referenced object is still being read: keep the current settings until then.
            return;
        }
        resolved = now;
        rights = ProfileAccess.of(record.namespace(), now.settings().profiles());
    }

    /** Null before the first resolution. */
    public @Nullable ResolvedSettings resolved() {
        return resolved;
    }

    public ProfileAccess rights() {
        return rights;
    }

    public void close() {
        objects.close();
        workerObjects.close();
    }
}

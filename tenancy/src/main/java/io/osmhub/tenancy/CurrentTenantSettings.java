package io.osmhub.tenancy;

import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProfileAccess;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.ReferencedObjectCache;
import io.osmhub.tenancy.settings.SettingsResolver;
import io.osmhub.tenancy.settings.SettingsResolver.OperatorSettings;
import io.osmhub.tenancy.settings.SettingsResolver.OwnSettings;
import io.osmhub.tenancy.settings.SettingsResolver.ResolvedSettings;
import io.osmhub.tenancy.settings.SettingsValidator;
import org.jspecify.annotations.Nullable;

/** The resolved settings of one tenant. Read by many threads, resolved by one at a time. */
final class CurrentTenantSettings {
    private final TenantServices services;
    private final ReferencedObjectCache objects;
    private final SettingsResolver resolver;
    private volatile @Nullable SettingsLayer operator;
    private volatile ProfileAccess rights;
    private volatile @Nullable ResolvedSettings resolved;

    /**
     * @param operator replaces the WorkerCluster's settings; null to use those
     * @param changed called when a referenced object changed; must not block
     */
    CurrentTenantSettings(
            String namespace, @Nullable OperatorSettings operator, TenantServices services, Runnable changed) {
        this.services = services;
        this.operator = operator == null ? null : operator.flags();
        this.objects = new ReferencedObjectCache(services.management(), changed, services.runtime());
        SettingsValidator checks = new SettingsValidator(
                namespace, () -> services.rules(namespace), services.namespaces(), () -> services.runtime()
                        .scheduler()
                        .now());
        this.resolver = new SettingsResolver(namespace, objects, checks, operator);
        this.rights = ProfileAccess.own(namespace);
    }

    /** Connection settings, needed before any referenced object is read. */
    TenantSettings.Connection connectionSettings(WorkerClusterRecord record) {
        return new LayeredSettings(
                        own(record).layer(), services.settings().get().defaults())
                .toTenantSettings()
                .connection();
    }

    private OwnSettings own(WorkerClusterRecord record) {
        SettingsLayer flags = operator;
        return flags == null ? SettingsResolver.read(record.describe(), record.settings()) : OwnSettings.of(flags);
    }

    /** Changes the operator's settings from the next {@link #resolve} on. */
    void operator(SettingsLayer flags) {
        operator = flags;
    }

    void resolve(WorkerClusterRecord record, String kubeconfigCa) {
        ResolvedSettings now = resolver.resolve(
                record.describe(), own(record), services.settings().get().defaults(), kubeconfigCa);
        ResolvedSettings before = resolved;
        if (!now.complete() && before != null && before.complete()) {
            // A newly referenced object is still being read: keep the current settings until then.
            return;
        }
        resolved = now;
        rights = ProfileAccess.of(record.namespace(), now.settings().profiles());
    }

    /** Null before the first resolution. */
    @Nullable ResolvedSettings resolved() {
        return resolved;
    }

    ProfileAccess rights() {
        return rights;
    }

    void close() {
        objects.close();
    }
}

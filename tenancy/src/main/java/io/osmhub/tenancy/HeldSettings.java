package io.osmhub.tenancy;

import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.catalog.ProfileRights;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.OperatorSettings;
import io.osmhub.tenancy.settings.ReferencedObjects;
import io.osmhub.tenancy.settings.ResolvedSettings;
import io.osmhub.tenancy.settings.SettingsChecks;
import io.osmhub.tenancy.settings.SettingsResolver;
import io.osmhub.tenancy.settings.SettingsResolver.OwnSettings;
import org.jspecify.annotations.Nullable;

/** The settings that hold for one tenant at each moment. Read by many threads, resolved by one at a time. */
final class HeldSettings {
    private final Services services;
    private final ReferencedObjects objects;
    private final SettingsResolver resolver;
    private volatile @Nullable SettingsLayer operator;
    private volatile ProfileRights rights;
    private volatile @Nullable ResolvedSettings resolved;

    /**
     * Settings of which nothing is known yet.
     *
     * @param operator in place of the WorkerCluster's; null when the WorkerCluster has them
     * @param changed called when something that they refer to is another; hands over and returns
     */
    HeldSettings(String namespace, @Nullable OperatorSettings operator, Services services, Runnable changed) {
        this.services = services;
        this.operator = operator == null ? null : operator.flags();
        this.objects = new ReferencedObjects(services.management(), changed, services.around());
        SettingsChecks checks = new SettingsChecks(
                namespace, () -> services.rules(namespace), services.namespaces(), () -> services.around()
                        .timers()
                        .now());
        this.resolver = new SettingsResolver(namespace, objects, checks, operator);
        this.rights = ProfileRights.own(namespace);
    }

    /** Those of the connection: they are needed before anything that settings refer to is read. */
    TenantSettings.Connection ofConnection(WorkerClusterRecord record) {
        return new EffectiveSettings(
                        own(record).layer(), services.settings().get().defaults())
                .settings()
                .connection();
    }

    private OwnSettings own(WorkerClusterRecord record) {
        SettingsLayer flags = operator;
        return flags == null ? SettingsResolver.read(record.describe(), record.settings()) : OwnSettings.of(flags);
    }

    /** Others of the operator, which hold when they are resolved next. */
    void operator(SettingsLayer flags) {
        operator = flags;
    }

    /** Brings them up to date. */
    void resolve(WorkerClusterRecord record, String kubeconfigCa) {
        ResolvedSettings now = resolver.resolve(
                record.describe(), own(record), services.settings().get().defaults(), kubeconfigCa);
        ResolvedSettings before = resolved;
        if (!now.complete() && before != null && before.complete()) {
            // Something that is newly named is still being read: what held until now holds a moment longer.
            return;
        }
        resolved = now;
        rights = ProfileRights.of(record.namespace(), now.settings().profiles());
    }

    /** Null while nothing is known. */
    @Nullable ResolvedSettings resolved() {
        return resolved;
    }

    /** Which profiles the tenant may use. */
    ProfileRights rights() {
        return rights;
    }

    void close() {
        objects.close();
    }
}

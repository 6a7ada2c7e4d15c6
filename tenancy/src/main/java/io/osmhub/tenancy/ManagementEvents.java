package io.osmhub.tenancy;

import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.ProfileController;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.watch.ObjectCache.Origin;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what changed in the management cluster. Drops it until everything was read once: what starts then reads the stores.
 * Thread-safe; does not block.
 */
final class ManagementEvents {
    private volatile @Nullable Receivers receivers;

    private record Receivers(TenantSupervisor tenantSupervisor, ProfileController profileController) {}

    /** Everything was read. */
    void deliverTo(TenantSupervisor tenantSupervisor, ProfileController profileController) {
        receivers = new Receivers(tenantSupervisor, profileController);
    }

    private void deliver(Consumer<Receivers> event) {
        Receivers current = receivers;
        if (current != null) {
            event.accept(current);
        }
    }

    /** The definitions, the settings or this replica's share of the tenants changed. */
    void onEverythingChanged() {
        deliver(to -> {
            to.profileController().onEverythingChanged();
            to.tenantSupervisor().onEverythingChanged();
        });
    }

    /** What only tenants depend on changed everywhere. */
    void onTenantsChanged() {
        deliver(to -> to.tenantSupervisor().onEverythingChanged());
    }

    /** Something that the tenant of a namespace depends on changed. */
    void onTenantChanged(String namespace) {
        if (!namespace.isEmpty()) {
            deliver(to -> to.tenantSupervisor().onNamespaceChanged(namespace));
        }
    }

    void onWorkerClusterChanged(
            ObjectKey key, @Nullable WorkerClusterRecord before, @Nullable WorkerClusterRecord after, Origin origin) {
        onTenantChanged(key.namespace());
        onOwnerChanged(before == null ? "" : before.clusterId(), after == null ? "" : after.clusterId());
    }

    void onNamespaceChanged(
            ObjectKey key, @Nullable NamespaceRecord before, @Nullable NamespaceRecord after, Origin origin) {
        onTenantChanged(key.name());
        if (before == null) {
            deliver(to -> to.profileController().onNamespaceAdded(key.name()));
        }
        onOwnerChanged(before == null ? "" : before.clusterId(), after == null ? "" : after.clusterId());
        if ((before != null && before.offersProfiles()) != (after != null && after.offersProfiles())) {
            deliver(to -> to.tenantSupervisor().onProfileOfferChanged(key.name()));
        }
    }

    /** A worker cluster may belong to another tenant now. */
    private void onOwnerChanged(String clusterIdBefore, String clusterIdAfter) {
        if (!clusterIdBefore.equals(clusterIdAfter)) {
            deliver(to -> {
                to.tenantSupervisor().onClusterChanged(clusterIdBefore);
                to.tenantSupervisor().onClusterChanged(clusterIdAfter);
            });
        }
    }

    void onProfileChanged(ObjectKey key, @Nullable StoredProfile before, @Nullable StoredProfile after, Origin origin) {
        if (!StoredProfile.haveSameContent(before, after)) {
            deliver(to -> {
                to.profileController().onProfileChanged(key, before, after);
                to.tenantSupervisor().onProfileChanged(key);
            });
        }
    }

    void onExtensionChanged(
            ObjectKey key, @Nullable StoredExtension before, @Nullable StoredExtension after, Origin origin) {
        if (!StoredExtension.haveSameContent(before, after)) {
            deliver(to -> {
                to.profileController().onUsersChanged();
                to.tenantSupervisor().onExtensionsChanged(key.namespace());
            });
        }
    }

    /** Extensions became readable or unreadable. */
    void onExtensionsReadable() {
        deliver(to -> to.tenantSupervisor().onExtensionsChanged(""));
    }

    /** The hub's own writes and status changes do not affect the tenant. */
    void onConfigChanged(ObjectKey key, @Nullable ListedConfig before, @Nullable ListedConfig after, Origin origin) {
        deliver(to -> to.profileController().onUsersChanged());
        if (origin != Origin.WRITTEN && !ConfigCache.haveSameContent(before, after)) {
            deliver(to -> to.tenantSupervisor().onConfigChanged(key));
        }
    }
}

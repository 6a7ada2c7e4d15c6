package io.osmhub.api.inventory;

import io.osmhub.core.workercluster.ProfileSettings;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Profiles that a tenant can use: its own, the shared ones, and those of granted namespaces that offer theirs. */
final class UsableProfiles {
    private final LocalReplica replica;
    private final String tenant;
    private final @Nullable ProfileSettings settings;

    /** @param record null if the namespace holds no tenant */
    UsableProfiles(LocalReplica replica, String tenant, @Nullable WorkerClusterRecord record) {
        this.replica = replica;
        this.tenant = tenant;
        this.settings =
                record == null || record.spec() == null ? null : record.spec().profiles();
    }

    boolean contains(ProfileRow row) {
        String namespace = row.namespace();
        if (namespace.equals(tenant)) {
            return true;
        }
        boolean reached = namespace.equals(replica.sharedProfileNamespace())
                || granted().contains(namespace) && replica.sharesProfiles(namespace);
        return reached && (!row.profile().isDefault() || usesSharedProfiles());
    }

    private List<String> granted() {
        return settings == null ? List.of() : Objects.requireNonNullElse(settings.namespaces(), List.of());
    }

    private boolean usesSharedProfiles() {
        return settings == null || settings.installDefaults() != ProfileSettings.InstallDefaults.NONE;
    }
}

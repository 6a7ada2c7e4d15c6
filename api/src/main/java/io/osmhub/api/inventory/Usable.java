package io.osmhub.api.inventory;

import io.osmhub.core.workercluster.ProfileSettings;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which profiles a tenant can use: its own, the shared ones, and those of namespaces that it is granted and that offer theirs. */
final class Usable {
    private final Replica replica;
    private final String tenant;
    private final @Nullable ProfileSettings settings;

    /** @param record null when the namespace is no tenant */
    Usable(Replica replica, String tenant, @Nullable WorkerClusterRecord record) {
        this.replica = replica;
        this.tenant = tenant;
        this.settings =
                record == null || record.spec() == null ? null : record.spec().profiles();
    }

    boolean has(ProfileRow row) {
        String namespace = row.namespace();
        if (namespace.equals(tenant)) {
            return true;
        }
        boolean reached = namespace.equals(replica.sharedProfileNamespace())
                || granted().contains(namespace) && replica.offersProfiles(namespace);
        return reached && (!row.profile().isDefault() || wantsDefaults());
    }

    private List<String> granted() {
        return settings == null ? List.of() : Objects.requireNonNullElse(settings.namespaces(), List.of());
    }

    private boolean wantsDefaults() {
        return settings == null || settings.installDefaults() != ProfileSettings.InstallDefaults.NONE;
    }
}

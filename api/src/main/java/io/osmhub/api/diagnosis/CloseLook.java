package io.osmhub.api.diagnosis;

import io.osmhub.api.inventory.Inventory;
import io.osmhub.api.inventory.Sight;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.LiveDetails;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Optional;

/** All that is known of one configuration or one profile. Who may see it is for the caller to ask. */
public final class CloseLook {
    private final LiveDiagnosis diagnosis;
    private final LiveDetails details;
    private final Inventory inventory;

    public CloseLook(LiveDiagnosis diagnosis, LiveDetails details, Inventory inventory) {
        this.diagnosis = diagnosis;
        this.details = details;
        this.inventory = inventory;
    }

    /** Empty when there is none. */
    public Optional<OscDetail> configuration(String tenant, String name) {
        return details.config(tenant, name).flatMap(stored -> inventory
                .configuration(tenant, name, Sight.EVERYTHING)
                .map(shown -> {
                    OperatingSystemConfigStatus status = stored.status();
                    ObjectKey key = owner(stored);
                    return new OscDetail(
                            shown,
                            Shown.source(status == null ? null : status.wanted()),
                            diagnosis.sizes(tenant, key, status),
                            Shown.secrets(status),
                            diagnosis.tokenEnd(tenant, key).orElse(null),
                            Shown.history(status),
                            details.live(tenant).isPresent() ? null : Boolean.TRUE);
                }));
    }

    private static ObjectKey owner(StoredConfig stored) {
        String owner = stored.owner();
        int slash = owner.indexOf('/');
        return new ObjectKey(slash < 0 ? "" : owner.substring(0, slash), owner.substring(slash + 1));
    }

    /**
     * Empty when there is none.
     *
     * @param users of its users only those are counted
     */
    public Optional<OspDetail> profile(String namespace, String name, Sight users) {
        Optional<StoredProfile> stored = details.profile(namespace, name);
        return stored.flatMap(profile -> inventory
                .profile(namespace, name, users)
                .map(shown -> new OspDetail(shown, ProfileFiles.of(profile), ProfileFiles.findings(profile))));
    }
}

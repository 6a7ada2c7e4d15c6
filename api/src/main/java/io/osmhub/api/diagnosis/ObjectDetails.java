package io.osmhub.api.diagnosis;

import io.osmhub.api.inventory.StoredInventory;
import io.osmhub.api.inventory.Visibility;
import io.osmhub.api.schema.OscDetail;
import io.osmhub.api.schema.OspDetail;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Optional;

/** Details of one configuration or profile. Callers must authorize. */
public final class ObjectDetails {
    private final LiveDiagnosisService diagnosis;
    private final HubQueries details;
    private final StoredInventory inventory;

    public ObjectDetails(LiveDiagnosisService diagnosis, HubQueries details, StoredInventory inventory) {
        this.diagnosis = diagnosis;
        this.details = details;
        this.inventory = inventory;
    }

    /** Empty if it does not exist. */
    public Optional<OscDetail> configuration(String tenant, String name) {
        return details.config(tenant, name).flatMap(stored -> inventory
                .configuration(tenant, name, Visibility.EVERYTHING)
                .map(shown -> {
                    OperatingSystemConfigStatus status = stored.status();
                    ObjectKey key = owner(stored);
                    return new OscDetail(
                            shown,
                            DiagnosisMapper.source(status == null ? null : status.wanted()),
                            diagnosis.sizes(tenant, key, status),
                            DiagnosisMapper.secrets(status),
                            diagnosis.findTokenExpiry(tenant, key).orElse(null),
                            DiagnosisMapper.history(status),
                            details.live(tenant).isPresent() ? null : Boolean.TRUE);
                }));
    }

    private static ObjectKey owner(StoredConfig stored) {
        String owner = stored.owner();
        int slash = owner.indexOf('/');
        return new ObjectKey(slash < 0 ? "" : owner.substring(0, slash), owner.substring(slash + 1));
    }

    /**
     * Empty if it does not exist.
     *
     * @param users only these users are counted
     */
    public Optional<OspDetail> profile(String namespace, String name, Visibility users) {
        Optional<StoredProfile> stored = details.profile(namespace, name);
        return stored.flatMap(profile -> inventory
                .profile(namespace, name, users)
                .map(shown -> new OspDetail(shown, ProfileFiles.of(profile), ProfileFiles.findings(profile))));
    }
}

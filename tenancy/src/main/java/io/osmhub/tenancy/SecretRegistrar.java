package io.osmhub.tenancy;

import io.osmhub.tenancy.management.NamespaceCache.NamespaceRecord;
import io.osmhub.tenancy.management.NamespaceEventRecorder;
import io.osmhub.tenancy.registry.KubeconfigSecret;
import io.osmhub.tenancy.registry.NamespaceRegistrations;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.HubSettings;
import io.osmhub.tenancy.settings.KkpTenant;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.EventRecorder.Regarding;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates and removes WorkerClusters according to the kubeconfig Secrets of their namespace. Calls for one namespace must be serialized. */
final class SecretRegistrar {
    private final HubContext hub;
    private final ManagementStores stores;
    private final NamespaceEventRecorder eventRecorder;

    SecretRegistrar(HubContext hub, NamespaceEventRecorder eventRecorder) {
        this.hub = hub;
        this.stores = hub.stores();
        this.eventRecorder = eventRecorder;
    }

    /** The shorter delay; null stands for none. */
    static @Nullable Duration sooner(@Nullable Duration one, @Nullable Duration other) {
        return one == null || other != null && other.compareTo(one) < 0 ? other : one;
    }

    /**
     * Creates the WorkerClusters that Secrets request, and removes those whose Secret was deleted long enough ago.
     *
     * @return delay until the next reconcile; null to wait for a change
     */
    @Nullable Duration register(
            String namespace, @Nullable NamespaceRecord namespaceRecord, Collection<WorkerClusterRecord> records)
            throws ApiFailure {
        HubSettings settings = hub.settings();
        boolean may = namespaceRecord != null
                && !namespaceRecord.terminating()
                && !settings.single()
                && settings.namespaceSelector().matches(namespaceRecord.labels());
        KkpTenant kkp = stores.kkp().tenant(namespace);
        boolean ofKkp = kkp != null && kkp.isManaged() && !kkp.isBeingDeleted();
        NamespaceRegistrations registrations = NamespaceRegistrations.decide(
                stores.secrets().in(namespace),
                records,
                ofKkp ? settings.discovery() : settings.discovery().withoutKkp());
        if (may) {
            for (NamespaceRegistrations.DesiredWorkerCluster wanted : registrations.wanted()) {
                stores.workerClusters().create(wanted);
            }
            registrations.refused().forEach(this::recordRefusal);
        }
        Duration soonest = null;
        List<WorkerClusterRecord> orphans = registrations.orphans();
        for (WorkerClusterRecord record : records) {
            if (record.head().isBeingDeleted()) {
                continue;
            }
            if (orphans.contains(record)) {
                soonest = sooner(soonest, removeOrphanWhenDue(record, settings.removalDelay()));
            } else if (!record.annotation(WorkerClusterRecord.SECRET_MISSING_SINCE)
                    .isEmpty()) {
                stores.workerClusters().recordMissingSecret(record, null);
            }
        }
        return soonest;
    }

    /** Delay until the next reconcile; null if nothing is to be removed, or the deletion is not confirmed. */
    private @Nullable Duration removeOrphanWhenDue(WorkerClusterRecord orphan, @Nullable Duration delay)
            throws ApiFailure {
        if (delay == null || !stores.secrets().isKnown(orphan.namespace(), orphan.secretName())) {
            return null;
        }
        Instant now = hub.runtimeContext().scheduler().now();
        Instant since = orphan.secretMissingSince();
        if (since == null) {
            stores.workerClusters().recordMissingSecret(orphan, now);
            return delay;
        }
        Duration left = Duration.between(now, since.plus(delay));
        if (left.isPositive()) {
            return left;
        }
        stores.workerClusters().deleteOrphan(orphan);
        return null;
    }

    private void recordRefusal(NamespaceRegistrations.RefusedSecret refused) {
        KubeconfigSecret secret = refused.secret();
        eventRecorder
                .events(secret.namespace())
                .recordEvent(
                        new Regarding(
                                "v1",
                                "Secret",
                                secret.namespace(),
                                secret.name(),
                                secret.head().uid()),
                        null,
                        refused.why());
    }
}

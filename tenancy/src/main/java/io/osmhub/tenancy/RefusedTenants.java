package io.osmhub.tenancy;

import io.osmhub.core.problem.Problem;
import io.osmhub.tenancy.management.NamespaceEventRecorder;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Reports the WorkerClusters that this replica refuses to serve. Thread-safe. */
final class RefusedTenants {
    private final HubContext hub;
    private final NamespaceEventRecorder eventRecorder;
    /** By namespace and UID; kept while it is refused, so that nothing is reported twice. */
    private final Map<String, Map<String, TenantStatusReporter>> reporters = new ConcurrentHashMap<>();

    RefusedTenants(HubContext hub, NamespaceEventRecorder eventRecorder) {
        this.hub = hub;
        this.eventRecorder = eventRecorder;
    }

    /** Writes the status of a WorkerCluster that is not served. */
    void report(WorkerClusterRecord record, Problem why) {
        TenantStatusReporter reporter = reporters
                .computeIfAbsent(record.namespace(), first -> new ConcurrentHashMap<>())
                .computeIfAbsent(
                        record.uid(),
                        uid -> new TenantStatusReporter(record, hub, eventRecorder.events(record.namespace())));
        reporter.publishStatus(TenantSnapshot.ofRefused(record, why));
    }

    /** They are not refused any more: the next refusal is a new one, also for the same reason. */
    void forget(String namespace, Predicate<String> ofUid) {
        reporters.computeIfPresent(namespace, (name, refused) -> {
            refused.keySet().removeIf(ofUid);
            return refused.isEmpty() ? null : refused;
        });
    }
}

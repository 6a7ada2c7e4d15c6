package io.osmhub.tenancy;

import io.osmhub.tenancy.registry.NamespaceRegistrations;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records Events about rejected registrations: Secrets, and WorkerClusters that may not be served. */
final class RegistrationEventRecorder {
    private static final int MOST_REPORTERS = 10_000;

    private final KubeApi management;
    private final RuntimeContext around;
    private final String replica;
    /** By namespace, so that each has its own budget. */
    private final Map<String, EventRecorder> events = new ConcurrentHashMap<>();

    private final Map<String, TenantStatusReporter> reporters = new ConcurrentHashMap<>();

    RegistrationEventRecorder(KubeApi management, RuntimeContext around, String replica) {
        this.management = management;
        this.around = around;
        this.replica = replica;
    }

    /** A registration Secret was rejected. */
    void recordRefusal(NamespaceRegistrations.RefusedSecret refused) {
        EventRecorder.Regarding secret = new EventRecorder.Regarding(
                "v1",
                "Secret",
                refused.secret().namespace(),
                refused.secret().name(),
                refused.secret().head().uid());
        events(refused.secret().namespace()).recordEvent(secret, null, refused.why());
    }

    /** Reporter for a WorkerCluster that is not served; kept, so that nothing is reported twice. */
    TenantStatusReporter reporter(WorkerClusterRecord record, TenantServices services) {
        if (reporters.size() > MOST_REPORTERS) {
            reporters.clear();
        }
        return reporters.computeIfAbsent(
                record.uid(), uid -> new TenantStatusReporter(record, services, events(record.namespace())));
    }

    /** The namespace was deleted. */
    void forget(String namespace) {
        events.remove(namespace);
    }

    /** Recorder for objects of a namespace that belong to no tenant. */
    EventRecorder events(String namespace) {
        return events.computeIfAbsent(
                namespace,
                added -> new EventWriter(
                        management, around.scheduler(), around.blockingExecutor(), around.random(), replica));
    }
}

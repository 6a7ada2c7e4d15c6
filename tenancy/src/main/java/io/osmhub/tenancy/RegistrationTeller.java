package io.osmhub.tenancy;

import io.osmhub.tenancy.registry.NamespaceRegistrations;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.watch.Surroundings;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Tells about registrations that are no tenants: Secrets that were refused, and WorkerClusters that may not be served. */
final class RegistrationTeller {
    private static final int MOST_REPORTERS = 10_000;

    private final KubeApi management;
    private final Surroundings around;
    private final String replica;
    /** By namespace, so that one cannot use up what others have to tell. */
    private final Map<String, EventSink> events = new ConcurrentHashMap<>();

    private final Map<String, TenantReporter> reporters = new ConcurrentHashMap<>();

    RegistrationTeller(KubeApi management, Surroundings around, String replica) {
        this.management = management;
        this.around = around;
        this.replica = replica;
    }

    /** A Secret is not taken as it asks for. */
    void tell(NamespaceRegistrations.Refused refused) {
        EventSink.Regarding secret = new EventSink.Regarding(
                "v1",
                "Secret",
                refused.secret().namespace(),
                refused.secret().name(),
                refused.secret().head().uid());
        events(refused.secret().namespace())
                .tell(secret, null, refused.reason(), EventSink.Action.CONNECT, refused.message());
    }

    /** Who says why a WorkerCluster is not served; remembers what it said. */
    TenantReporter reporter(WorkerClusterRecord record, Services services) {
        if (reporters.size() > MOST_REPORTERS) {
            reporters.clear();
        }
        return reporters.computeIfAbsent(
                record.uid(), uid -> new TenantReporter(record, services, events(record.namespace())));
    }

    /** The namespace is gone. */
    void forget(String namespace) {
        events.remove(namespace);
    }

    /** Events about objects of a namespace that are no tenant's. */
    EventSink events(String namespace) {
        return events.computeIfAbsent(
                namespace,
                added -> new EventWriter(management, around.timers(), around.waiting(), around.random(), replica));
    }
}

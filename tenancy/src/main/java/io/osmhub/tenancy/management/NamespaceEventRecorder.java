package io.osmhub.tenancy.management;

import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records Events about objects of the management cluster that belong to no served tenant. Thread-safe. */
public final class NamespaceEventRecorder {
    private final KubeApi managementApi;
    private final RuntimeContext runtimeContext;
    private final String replica;
    /** By namespace, so that each has its own budget. */
    private final Map<String, EventRecorder> events = new ConcurrentHashMap<>();

    public NamespaceEventRecorder(KubeApi managementApi, RuntimeContext runtimeContext, String replica) {
        this.managementApi = managementApi;
        this.runtimeContext = runtimeContext;
        this.replica = replica;
    }

    /** The namespace was deleted. */
    public void forget(String namespace) {
        events.remove(namespace);
    }

    /** Recorder for objects of a namespace that belong to no tenant. */
    public EventRecorder events(String namespace) {
        return events.computeIfAbsent(
                namespace,
                added -> new EventWriter(
                        new CurrentConnection(managementApi),
                        runtimeContext.scheduler(),
                        runtimeContext.blockingExecutor(),
                        runtimeContext.random(),
                        replica));
    }
}

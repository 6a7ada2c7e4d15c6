package io.osmhub.tenancy.registry;

import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records Events about objects that belong to no served tenant, for example rejected registration Secrets. */
public final class RegistrationEventRecorder {
    private final KubeApi managementApi;
    private final RuntimeContext runtimeContext;
    private final String replica;
    /** By namespace, so that each has its own budget. */
    private final Map<String, EventRecorder> events = new ConcurrentHashMap<>();

    public RegistrationEventRecorder(KubeApi managementApi, RuntimeContext runtimeContext, String replica) {
        this.managementApi = managementApi;
        this.runtimeContext = runtimeContext;
        this.replica = replica;
    }

    /** A registration Secret was rejected. */
    public void recordRefusal(NamespaceRegistrations.RefusedSecret refused) {
        EventRecorder.Regarding secret = new EventRecorder.Regarding(
                "v1",
                "Secret",
                refused.secret().namespace(),
                refused.secret().name(),
                refused.secret().head().uid());
        events(refused.secret().namespace()).recordEvent(secret, null, refused.why());
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

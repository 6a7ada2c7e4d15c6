package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Decider;
import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.TenantPorts;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.concurrent.Executor;

/**
 * What the runs of one tenant work with.
 *
 * @param currentConnection to the worker cluster
 * @param workerEvents writes to the worker cluster
 */
public record TenantContext(
        CurrentConnection currentConnection,
        EventRecorder workerEvents,
        TenantPorts tenantPorts,
        RunDependencies runDependencies,
        RuntimeContext runtimeContext) {
    /**
     * Dependencies shared by all tenants.
     *
     * @param decider thread-safe
     * @param parallel runs concurrent requests of one run on a virtual thread each
     */
    public record RunDependencies(
            WorkQueue queue,
            Decider decider,
            RenderExecutor rendering,
            SyncObserver observer,
            RunTracer tracer,
            Executor parallel) {}

    Scheduler scheduler() {
        return runtimeContext.scheduler();
    }
}

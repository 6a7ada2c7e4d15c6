package io.osmhub.workersync.reconcile;

import io.osmhub.workersync.apiserver.RequestAttribution;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.TenantPorts;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.reconcile.RunReport.PendingTrigger;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.reconcile.RunReport.RunRequest;
import io.osmhub.workersync.reconcile.RunTraceRecorder.ActiveTrace;
import io.osmhub.workersync.reconcile.TenantContext.RunDependencies;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.ChangeWriter;
import io.osmhub.workersync.write.WriteRateLimiter;
import io.osmhub.workersync.write.WriteResult;
import io.osmhub.workersync.write.WriteTarget;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Executes the runs of one tenant, and passes each report to the listeners. Thread-safe. */
final class RunExecutor {
    private final TenantContext tenantContext;
    private final WorkerInformers informers;
    private final NodeJoinResolver nodeJoinResolver;
    private final FactsCollector factsCollector;
    private final ChangeWriter changeWriter;
    private final WriteRateLimiter writeRateLimiter;
    private final MachineDeploymentStates machineDeploymentStates;
    private final Reconciler reconciler;
    private final RunEvents runEvents;
    private final OrphanCleaner orphanCleaner;
    private final RunTraceRecorder runTraceRecorder;
    private final List<RunListener> runListeners;

    RunExecutor(TenantContext tenantContext, WorkerInformers informers, NameClaims nameClaims, TenantInputs inputs) {
        this.tenantContext = tenantContext;
        this.informers = informers;
        TenantPorts ports = tenantContext.tenantPorts();
        RunDependencies dependencies = tenantContext.runDependencies();
        changeWriter = new ChangeWriter(
                tenantContext.currentConnection(),
                informers,
                ports.configStore(),
                tenantContext.scheduler(),
                dependencies.parallel());
        nodeJoinResolver = new NodeJoinResolver(informers);
        factsCollector = new FactsCollector(
                tenantContext, informers, nameClaims, nodeJoinResolver, changeWriter.unpublishedTokens());
        writeRateLimiter = new WriteRateLimiter(
                tenantContext.scheduler(), inputs.settings().connection().writeBudget());
        machineDeploymentStates = new MachineDeploymentStates(ports.configStore(), tenantContext.scheduler());
        reconciler =
                new Reconciler(tenantContext, factsCollector, changeWriter, writeRateLimiter, machineDeploymentStates);
        runEvents = new RunEvents(tenantContext);
        orphanCleaner = new OrphanCleaner(informers, ports.configStore(), changeWriter, runEvents);
        runTraceRecorder =
                new RunTraceRecorder(dependencies.tracer(), dependencies.queue(), tenantContext.runtimeContext());
        runListeners = List.of(
                new RunLog(),
                runEvents,
                machineDeploymentStates,
                new RunMetrics(dependencies.observer()),
                runTraceRecorder);
    }

    /** Reconciles a MachineDeployment. */
    RunReport run(ObjectKey key, TenantInputs inputs, int failures, @Nullable PendingTrigger trigger) {
        ActiveTrace trace = runTraceRecorder.begin();
        RunRequest request = new RunRequest(key, createRunId(), inputs, failures, trigger, trace);
        RunReport report;
        try {
            report = trace == null
                    ? reconciler.reconcile(request)
                    : RequestAttribution.callWithListener(trace, () -> reconciler.reconcile(request));
            notifyListeners(report);
        } catch (RuntimeException e) {
            report = reconciler.reportCrash(request, e);
            notifyListeners(report);
        }
        return report;
    }

    private void notifyListeners(RunReport report) {
        runListeners.forEach(listener -> listener.onRunEnded(report));
        if (report.outcome() instanceof RunOutcome.Decided decided) {
            WriteResult.FailedWrite failed = decided.written().failed();
            if (failed != null
                    && failed.failure().isForbidden()
                    && WriteTarget.of(failed.change()).isGrant()) {
                // A permission may have been revoked.
                tenantContext.tenantPorts().syncListener().onRequestFailed(failed.failure());
            }
        }
    }

    /** Twelve hexadecimal digits: unique enough for a year of runs. */
    private String createRunId() {
        return String.format(
                Locale.ROOT, "%012x", tenantContext.runtimeContext().random().nextLong() & 0xffff_ffff_ffffL);
    }

    /** Deletes the leftovers of deleted MachineDeployments. */
    RequeueDecision sweep(TenantInputs inputs) {
        return orphanCleaner.sweep(inputs);
    }

    TenantRemoval createRemoval(boolean deletesObjects) {
        return new TenantRemoval(
                tenantContext.runDependencies(),
                factsCollector,
                changeWriter,
                informers,
                orphanCleaner,
                deletesObjects);
    }

    NodeJoinResolver nodeJoinResolver() {
        return nodeJoinResolver;
    }

    WriteRateLimiter writeRateLimiter() {
        return writeRateLimiter;
    }

    MachineDeploymentStates machineDeploymentStates() {
        return machineDeploymentStates;
    }

    RunEvents runEvents() {
        return runEvents;
    }

    MachineDeploymentViews createViews() {
        return new MachineDeploymentViews(informers, factsCollector, machineDeploymentStates);
    }
}

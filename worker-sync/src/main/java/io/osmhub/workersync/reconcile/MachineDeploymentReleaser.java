package io.osmhub.workersync.reconcile;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.ChangeWriter;
import io.osmhub.workersync.write.WriteResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes the hub from a MachineDeployment that remains: its objects as on deletion, or only its finalizer. */
final class MachineDeploymentReleaser {
    private static final ChangeReason HANDED_OVER =
            new ChangeReason(ChangeReason.Cause.REMOVAL, "tenant removed, objects kept");

    private final FactsCollector look;
    private final ProviderReferenceCache references;
    private final Decider decider;
    private final RenderExecutor rendering;
    private final ChangeWriter writer;
    private final WorkerInformers objects;
    private final Scheduler timers;

    MachineDeploymentReleaser(
            FactsCollector look,
            ProviderReferenceCache references,
            Decider decider,
            RenderExecutor rendering,
            ChangeWriter writer,
            WorkerInformers objects,
            Scheduler timers) {
        this.look = look;
        this.references = references;
        this.decider = decider;
        this.rendering = rendering;
        this.writer = writer;
        this.objects = objects;
        this.timers = timers;
    }

    /** Returns null on success. */
    WriteResult.@Nullable FailedWrite release(ObjectKey key, TenantInputs inputs, boolean deletes) {
        WatchedMachineDeployment watched = objects.machineDeployments().get(key);
        if (watched == null || !watched.machineDeployment().hasFinalizer()) {
            return null;
        }
        MachineDeployment machineDeployment = watched.machineDeployment();
        PlannedChange finalizer = new PlannedChange.RemoveFinalizer(0, HANDED_OVER, machineDeployment);
        try {
            writer.resolveUncertainWrites(FactsCollector.keys(key));
            List<PlannedChange> changes = deletes ? changes(machineDeployment, inputs) : List.of(finalizer);
            return writer.apply(changes).failed();
        } catch (ApiFailure failure) {
            return new WriteResult.FailedWrite(finalizer, failure);
        }
    }

    /** Runs on the render threads: determining an object's owner may require rendering. */
    private List<PlannedChange> changes(MachineDeployment machineDeployment, TenantInputs inputs) throws ApiFailure {
        Facts facts = look.collectFor(leaving(machineDeployment), unpaused(inputs), references.openSession());
        return rendering.call(inputs.namespace(), () -> decider.decide(facts).changes());
    }

    private MachineDeployment leaving(MachineDeployment machineDeployment) {
        return new MachineDeployment(
                machineDeployment.namespace(),
                machineDeployment.name(),
                machineDeployment.uid(),
                machineDeployment.resourceVersion(),
                machineDeployment.creationTimestamp(),
                timers.now(),
                machineDeployment.finalizers(),
                machineDeployment.annotations(),
                machineDeployment.kubeletVersion(),
                machineDeployment.providerSpec(),
                machineDeployment.templateAnnotations());
    }

    /** Removal applies to paused tenants too. */
    private static TenantInputs unpaused(TenantInputs inputs) {
        return new TenantInputs(
                inputs.namespace(),
                inputs.workerCluster(),
                inputs.hub(),
                inputs.settings(),
                inputs.references(),
                inputs.mistakes(),
                inputs.kubeconfigCa(),
                TenantInputs.AllowedWrites.ALL);
    }
}

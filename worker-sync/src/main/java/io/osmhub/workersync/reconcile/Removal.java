package io.osmhub.workersync.reconcile;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Why;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerObjects;
import io.osmhub.workersync.write.Writer;
import io.osmhub.workersync.write.Written;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes the hub away from one MachineDeployment that stays: as if it were being deleted, or its finalizer alone.
 */
final class Removal {
    private static final Why HANDED_OVER = new Why(Why.Cause.REMOVAL, "the tenant was removed, its objects stay");

    private final Look look;
    private final ProviderReferences references;
    private final Decider decider;
    private final RenderThreads rendering;
    private final Writer writer;
    private final WorkerObjects objects;
    private final Timers timers;

    Removal(
            Look look,
            ProviderReferences references,
            Decider decider,
            RenderThreads rendering,
            Writer writer,
            WorkerObjects objects,
            Timers timers) {
        this.look = look;
        this.references = references;
        this.decider = decider;
        this.rendering = rendering;
        this.writer = writer;
        this.objects = objects;
        this.timers = timers;
    }

    /** Null when it is done. */
    Written.@Nullable Failed remove(ObjectKey key, TenantInputs inputs, boolean deletes) {
        WatchedMachineDeployment watched = objects.machineDeployments().get(key);
        if (watched == null || !watched.machineDeployment().hasFinalizer()) {
            return null;
        }
        MachineDeployment machineDeployment = watched.machineDeployment();
        Change finalizer = new Change.RemoveFinalizer(0, HANDED_OVER, machineDeployment);
        try {
            writer.settleDoubts(Look.keys(key));
            List<Change> changes = deletes ? changes(machineDeployment, inputs) : List.of(finalizer);
            return writer.apply(changes).failed();
        } catch (ApiFailure failure) {
            return new Written.Failed(finalizer, failure);
        }
    }

    /** Where others render: telling whose an object is may take a rendering. */
    private List<Change> changes(MachineDeployment machineDeployment, TenantInputs inputs) throws ApiFailure {
        Facts facts = look.as(leaving(machineDeployment), unpaused(inputs), references.session());
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
                machineDeployment.providerSpec());
    }

    /** Who removes a paused tenant wants it removed. */
    private static TenantInputs unpaused(TenantInputs inputs) {
        return new TenantInputs(
                inputs.namespace(),
                inputs.workerCluster(),
                inputs.hubId(),
                inputs.settings(),
                inputs.references(),
                inputs.mistakes(),
                inputs.kubeconfigCa(),
                false);
    }
}

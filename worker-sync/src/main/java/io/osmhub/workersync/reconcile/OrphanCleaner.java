package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.OrphanCleanupPlanner;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.plan.StoredObject;
import io.osmhub.core.problem.Actor;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.ChangeWriter;
import io.osmhub.workersync.write.WriteResult;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Deletes the hub's objects that belong to no MachineDeployment. */
final class OrphanCleaner {
    private final WorkerInformers informers;
    private final ConfigStore configStore;
    private final ChangeWriter changeWriter;
    private final RunEvents runEvents;

    OrphanCleaner(WorkerInformers informers, ConfigStore configStore, ChangeWriter changeWriter, RunEvents runEvents) {
        this.informers = informers;
        this.configStore = configStore;
        this.changeWriter = changeWriter;
        this.runEvents = runEvents;
    }

    /** Deletes the leftovers of deleted MachineDeployments, unless the tenant is paused; blocks. */
    RequeueDecision sweep(TenantInputs inputs) {
        if (inputs.paused() || !informers.isSynced()) {
            return new RequeueDecision.Done();
        }
        // Including those that cannot be read.
        Set<String> owners = informers.machineDeployments().keys().stream()
                .map(ObjectKey::toString)
                .collect(Collectors.toSet());
        WriteResult written = deleteOrphans(inputs, owners);
        if (!written.completed().isEmpty()) {
            runEvents.recordLeftovers(inputs, written.changes());
        }
        WriteResult.FailedWrite failed = written.failed();
        return failed == null
                ? new RequeueDecision.Done()
                : new RequeueDecision.Retry(Actor.OPERATOR, failed.failure().retryAfter());
    }

    /** Deletes objects of all but these owners; blocks. */
    WriteResult deleteOrphans(TenantInputs inputs, Set<String> owners) {
        List<PlannedChange> changes = OrphanCleanupPlanner.of(
                FactsCollector.tenant(inputs), owners, Stream.concat(workerObjects(), configStore.all().stream()));
        return changes.isEmpty() ? WriteResult.NONE : changeWriter.apply(changes);
    }

    private Stream<StoredObject> workerObjects() {
        Stream<StoredGrant> grants = !informers.areGrantsKnown()
                ? Stream.of()
                : Stream.of(GrantKind.values()).flatMap(kind -> informers.grants(kind).all().stream());
        return Stream.of(
                        informers.secrets().all().stream().map(SecretReader.SettingsSecret::stored),
                        informers.tokens().all().stream(),
                        grants)
                .flatMap(objects -> objects);
    }

    /** Number of cached objects in the worker cluster with this tenant's mark. */
    int countMarked(TenantInputs inputs) {
        String tenant = inputs.namespace() + "/" + inputs.workerCluster();
        return (int) workerObjects()
                .filter(object -> tenant.equals(object.annotations().get(OwnershipAnnotations.TENANT)))
                .count();
    }
}

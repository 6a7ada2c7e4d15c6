package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.DesiredGrant.GrantKind;
import io.osmhub.core.plan.OrphanCleanupPlanner;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.reconcile.RunScheduler.CleanupResult;
import io.osmhub.workersync.reconcile.RunScheduler.TenantRemoval;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.ChangeWriter;
import io.osmhub.workersync.write.WriteResult;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deletes the hub's objects that belong to no MachineDeployment. */
final class OrphanCleaner {
    private final WorkerInformers objects;
    private final ConfigStore configs;
    private final ChangeWriter writer;

    OrphanCleaner(WorkerInformers objects, ConfigStore configs, ChangeWriter writer) {
        this.objects = objects;
        this.configs = configs;
        this.writer = writer;
    }

    /** Owner names of all existing MachineDeployments, including those that cannot be read. */
    Set<String> collectLiveNames() {
        return objects.machineDeployments().keys().stream()
                .map(ObjectKey::toString)
                .collect(Collectors.toSet());
    }

    /** Deletes objects whose owner is not alive; blocks. */
    WriteResult deleteOrphans(TenantInputs inputs, Set<String> alive) {
        List<PlannedChange> changes = OrphanCleanupPlanner.of(
                FactsCollector.tenant(inputs),
                alive,
                objects.secrets().all().stream()
                        .map(SecretReader.SettingsSecret::stored)
                        .toList(),
                objects.tokens().all(),
                grants(),
                configs.all());
        return changes.isEmpty() ? new WriteResult(List.of(), null) : writer.apply(changes);
    }

    private List<StoredGrant> grants() {
        return !objects.areGrantsKnown()
                ? List.of()
                : Stream.of(GrantKind.values())
                        .flatMap(kind -> objects.grants(kind).all().stream())
                        .toList();
    }

    /** Deletes everything if {@code deletes} is set. Returns null on success. */
    WriteResult.@Nullable FailedWrite deleteAll(TenantInputs inputs, boolean deletes) {
        return deletes ? deleteOrphans(inputs, Set.of()).failed() : null;
    }

    /** Counts what a removal leaves, according to the caches. */
    CleanupResult countRemaining(TenantInputs inputs, TenantRemoval removing) {
        int finalizers = (int) objects.machineDeployments().all().stream()
                .filter(watched -> watched.machineDeployment().hasFinalizer())
                .count();
        int secrets = removing.deletesObjects() ? marked(inputs.namespace() + "/" + inputs.workerCluster()) : 0;
        boolean complete = finalizers == 0 && secrets == 0 && objects.isSynced();
        return new CleanupResult(complete, secrets, finalizers, complete ? "" : removing.cause());
    }

    private int marked(String tenant) {
        Stream<SortedMap<String, String>> tokens =
                objects.tokens().all().stream().map(token -> token.annotations());
        Stream<SortedMap<String, String>> secrets =
                objects.secrets().all().stream().map(secret -> secret.stored().annotations());
        Stream<SortedMap<String, String>> grants = grants().stream().map(StoredGrant::annotations);
        return (int) Stream.concat(Stream.concat(tokens, secrets), grants)
                .filter(annotations -> tenant.equals(annotations.get(OwnershipAnnotations.TENANT)))
                .count();
    }
}

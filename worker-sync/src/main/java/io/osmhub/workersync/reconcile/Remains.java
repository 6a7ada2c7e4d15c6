package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.GrantKind;
import io.osmhub.core.plan.Leftovers;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.watch.SecretReader;
import io.osmhub.workersync.watch.WorkerObjects;
import io.osmhub.workersync.write.Writer;
import io.osmhub.workersync.write.Written;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Objects of the hub that no MachineDeployment accounts for any more. */
final class Remains {
    private final WorkerObjects objects;
    private final ConfigStore configs;
    private final Writer writer;

    Remains(WorkerObjects objects, ConfigStore configs, Writer writer) {
        this.objects = objects;
        this.configs = configs;
        this.writer = writer;
    }

    /** Whose objects are wanted: every MachineDeployment that there is. */
    Set<String> alive() {
        return objects.machineDeployments().all().stream()
                .map(watched -> Marks.owner(watched.machineDeployment()))
                .collect(Collectors.toSet());
    }

    /** Deletes what belongs to none of those that are alive; waits for the answers. */
    Written delete(TenantInputs inputs, Set<String> alive) {
        List<Change> changes = Leftovers.of(
                Look.tenant(inputs),
                alive,
                objects.secrets().all().stream()
                        .map(SecretReader.SettingsSecret::stored)
                        .toList(),
                objects.tokens().all(),
                grants(),
                configs.all());
        return changes.isEmpty() ? new Written(List.of(), null) : writer.apply(changes);
    }

    private List<StoredGrant> grants() {
        return !objects.areGrantsKnown()
                ? List.of()
                : Stream.of(GrantKind.values())
                        .flatMap(kind -> objects.grants(kind).all().stream())
                        .toList();
    }

    /** Deletes everything, when objects are to go with the tenant. Null when that is done. */
    Written.@Nullable Failed deleteAll(TenantInputs inputs, boolean deletes) {
        return deletes ? delete(inputs, Set.of()).failed() : null;
    }

    /** What a removal leaves, as far as the caches tell. */
    Cleanup count(TenantInputs inputs, Removing removing) {
        int finalizers = (int) objects.machineDeployments().all().stream()
                .filter(watched -> watched.machineDeployment().hasFinalizer())
                .count();
        int secrets = removing.deletes() ? marked(inputs.namespace() + "/" + inputs.workerCluster()) : 0;
        boolean complete = finalizers == 0 && secrets == 0 && objects.isSynced();
        return new Cleanup(complete, secrets, finalizers, complete ? "" : removing.cause());
    }

    private int marked(String tenant) {
        Stream<SortedMap<String, String>> tokens =
                objects.tokens().all().stream().map(token -> token.annotations());
        Stream<SortedMap<String, String>> secrets =
                objects.secrets().all().stream().map(secret -> secret.stored().annotations());
        Stream<SortedMap<String, String>> grants = grants().stream().map(StoredGrant::annotations);
        return (int) Stream.concat(Stream.concat(tokens, secrets), grants)
                .filter(annotations -> tenant.equals(annotations.get(Marks.TENANT)))
                .count();
    }
}

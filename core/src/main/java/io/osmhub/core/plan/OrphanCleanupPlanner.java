package io.osmhub.core.plan;

import io.osmhub.core.plan.Decider.WriteStage;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Deletes the hub's objects whose MachineDeployment no longer exists because its finalizer was removed. */
public final class OrphanCleanupPlanner {
    private static final ChangeReason WHY = ChangeReason.Cause.REMOVAL.because("its MachineDeployment was deleted");

    private OrphanCleanupPlanner() {}

    /**
     * Returns the deletions in the order of stages. Call it only when all lists are complete: an object not yet in a
     * cache appears deleted.
     *
     * @param alive {@link OwnershipAnnotations#owner} of every existing MachineDeployment, with or without a profile
     * @param objects of every kind, in any order
     */
    public static List<PlannedChange> of(
            Facts.Tenant tenant, Set<String> alive, Stream<? extends StoredObject> objects) {
        return objects.filter(object -> isLeft(tenant, alive, object))
                .<PlannedChange>map(object -> new PlannedChange.Delete(
                        object instanceof StoredSecret ? WriteStage.REMOVE_BOOTSTRAP : WriteStage.REMOVE_TOKENS,
                        WHY,
                        object))
                .sorted(Comparator.comparingInt(PlannedChange::stage))
                .toList();
    }

    private static boolean isLeft(Facts.Tenant tenant, Set<String> alive, StoredObject object) {
        Map<String, String> annotations = object.annotations();
        String owner = annotations.get(OwnershipAnnotations.OWNER);
        if (owner == null || alive.contains(owner)) {
            return false;
        }
        // The namespace of an OperatingSystemConfig identifies the tenant.
        return object instanceof StoredConfig
                || tenant.hub().isOwn(annotations.getOrDefault(OwnershipAnnotations.HUB_ID, ""))
                        && (tenant.namespace() + "/" + tenant.workerCluster())
                                .equals(annotations.get(OwnershipAnnotations.TENANT));
    }
}

package io.osmhub.core.plan;

import io.osmhub.core.plan.Decider.WriteStage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Deletes the hub's objects whose MachineDeployment no longer exists because its finalizer was removed. */
public final class OrphanCleanupPlanner {
    private static final ChangeReason WHY =
            new ChangeReason(ChangeReason.Cause.REMOVAL, "its MachineDeployment was deleted");

    private OrphanCleanupPlanner() {}

    /**
     * Returns the deletions in the order of stages. Call it only when all lists are complete: an object not yet in a
     * cache appears deleted.
     *
     * @param alive {@link OwnershipAnnotations#owner} of every existing MachineDeployment, with or without a profile
     */
    public static List<PlannedChange> of(
            Facts.Tenant tenant,
            Set<String> alive,
            Collection<StoredSecret> secrets,
            Collection<StoredToken> tokens,
            Collection<StoredGrant> grants,
            Collection<StoredConfig> configs) {
        List<PlannedChange> changes = new ArrayList<>();
        for (StoredSecret secret : secrets) {
            if (isLeft(tenant, alive, secret.annotations())) {
                changes.add(new PlannedChange.DeleteSecret(WriteStage.REMOVE_BOOTSTRAP, WHY, secret));
            }
        }
        for (StoredToken token : tokens) {
            if (isLeft(tenant, alive, token.annotations())) {
                changes.add(new PlannedChange.DeleteToken(WriteStage.REMOVE_TOKENS, WHY, token));
            }
        }
        for (StoredGrant grant : grants) {
            if (isLeft(tenant, alive, grant.annotations())) {
                changes.add(new PlannedChange.DeleteGrant(WriteStage.REMOVE_TOKENS, WHY, grant));
            }
        }
        for (StoredConfig config : configs) {
            String owner = config.annotations().get(OwnershipAnnotations.OWNER);
            if (owner != null && !alive.contains(owner)) {
                changes.add(new PlannedChange.DeleteConfig(WriteStage.REMOVE_TOKENS, WHY, config));
            }
        }
        return changes;
    }

    private static boolean isLeft(Facts.Tenant tenant, Set<String> alive, Map<String, String> annotations) {
        String owner = annotations.get(OwnershipAnnotations.OWNER);
        return owner != null
                && !alive.contains(owner)
                && tenant.hub().isOwn(annotations.getOrDefault(OwnershipAnnotations.HUB_ID, ""))
                && (tenant.namespace() + "/" + tenant.workerCluster())
                        .equals(annotations.get(OwnershipAnnotations.TENANT));
    }
}

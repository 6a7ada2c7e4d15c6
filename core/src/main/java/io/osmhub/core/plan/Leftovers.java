package io.osmhub.core.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Objects that this hub marked as its own and whose MachineDeployment is gone: somebody removed the finalizer. */
public final class Leftovers {
    private static final Why WHY = new Why(Why.Cause.REMOVAL, "its MachineDeployment is gone");

    private Leftovers() {}

    /**
     * What is to be deleted, in the order of stages. To be asked only when all lists are complete: what is not yet in a cache looks
     * gone.
     *
     * @param alive {@link Marks#owner} of every MachineDeployment there is, with or without a profile
     */
    public static List<Change> of(
            Facts.Tenant tenant,
            Set<String> alive,
            Collection<StoredSecret> secrets,
            Collection<StoredToken> tokens,
            Collection<StoredGrant> grants,
            Collection<StoredConfig> configs) {
        List<Change> changes = new ArrayList<>();
        for (StoredSecret secret : secrets) {
            if (isLeft(tenant, alive, secret.annotations())) {
                changes.add(new Change.DeleteSecret(Stage.REMOVE_BOOTSTRAP, WHY, secret));
            }
        }
        for (StoredToken token : tokens) {
            if (isLeft(tenant, alive, token.annotations())) {
                changes.add(new Change.DeleteToken(Stage.REMOVE_TOKENS, WHY, token));
            }
        }
        for (StoredGrant grant : grants) {
            if (isLeft(tenant, alive, grant.annotations())) {
                changes.add(new Change.DeleteGrant(Stage.REMOVE_TOKENS, WHY, grant));
            }
        }
        for (StoredConfig config : configs) {
            String owner = config.annotations().get(Marks.OWNER);
            if (owner != null && !alive.contains(owner)) {
                changes.add(new Change.DeleteConfig(Stage.REMOVE_TOKENS, WHY, config));
            }
        }
        return changes;
    }

    private static boolean isLeft(Facts.Tenant tenant, Set<String> alive, Map<String, String> annotations) {
        String owner = annotations.get(Marks.OWNER);
        return owner != null
                && !alive.contains(owner)
                && tenant.hubId().equals(annotations.get(Marks.HUB_ID))
                && (tenant.namespace() + "/" + tenant.workerCluster()).equals(annotations.get(Marks.TENANT));
    }
}

package io.osmhub.core.plan;

import io.osmhub.core.machine.MachineDeployment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Removes the objects of a deleted MachineDeployment: first what starts machines, last the finalizer. */
final class RemovalPlanner {
    private static final ChangeReason WHY =
            new ChangeReason(ChangeReason.Cause.REMOVAL, "the MachineDeployment is being deleted");

    private final Facts facts;
    private final OwnershipAnnotations marks;

    RemovalPlanner(Facts facts, OwnershipAnnotations marks) {
        this.facts = facts;
        this.marks = marks;
    }

    /** @param lost a name that another MachineDeployment owns; then only marked objects are known to be its own */
    List<PlannedChange> changes(NameCollisionResolver.@Nullable LostName lost) {
        List<PlannedChange> changes = new ArrayList<>();
        FoundObjects found = facts.found();
        found.secrets().forEach((role, secret) -> {
            if (goes(Ownership.of(marks, secret, role), lost)) {
                int stage = role == SecretRole.BOOTSTRAP ? WriteStage.REMOVE_BOOTSTRAP : WriteStage.REMOVE_OTHERS;
                changes.add(new PlannedChange.DeleteSecret(stage, WHY, secret));
            }
        });
        for (StoredToken token : found.tokens()) {
            if (goes(Ownership.of(marks, token), lost)) {
                changes.add(new PlannedChange.DeleteToken(WriteStage.REMOVE_TOKENS, WHY, token));
            }
        }
        for (StoredGrant grant : facts.fetch().grants().values()) {
            if (goes(Ownership.of(marks, grant), lost)) {
                changes.add(new PlannedChange.DeleteGrant(WriteStage.REMOVE_TOKENS, WHY, grant));
            }
        }
        StoredConfig config = found.config();
        if (config != null && goes(Ownership.of(marks, config), lost)) {
            changes.add(new PlannedChange.DeleteConfig(WriteStage.REMOVE_TOKENS, WHY, config));
        }
        MachineDeployment machineDeployment = facts.machineDeployment();
        changes.add(new PlannedChange.RemoveFinalizer(WriteStage.REMOVE_FINALIZER, WHY, machineDeployment));
        return changes;
    }

    private static boolean goes(Ownership holder, NameCollisionResolver.@Nullable LostName lost) {
        return switch (holder) {
            case OWNED -> true;
            case PREVIOUS, OSM -> lost == null;
            case FOREIGN -> false;
        };
    }
}

package io.osmhub.core.plan;

import io.osmhub.core.machine.MachineDeployment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes away what belongs to a MachineDeployment that goes: first what makes machines start, last the finalizer. */
final class Removal {
    private static final Why WHY = new Why(Why.Cause.REMOVAL, "the MachineDeployment is being deleted");

    private final Facts facts;
    private final Marks marks;

    Removal(Facts facts, Marks marks) {
        this.facts = facts;
        this.marks = marks;
    }

    /** @param lost a name that belongs to another MachineDeployment; then only marked objects are known to be its own */
    List<Change> changes(Collisions.@Nullable Lost lost) {
        List<Change> changes = new ArrayList<>();
        FoundObjects found = facts.found();
        found.secrets().forEach((role, secret) -> {
            if (goes(Holder.of(marks, secret, role), lost)) {
                int stage = role == SecretRole.BOOTSTRAP ? Stage.REMOVE_BOOTSTRAP : Stage.REMOVE_OTHERS;
                changes.add(new Change.DeleteSecret(stage, WHY, secret));
            }
        });
        for (StoredToken token : found.tokens()) {
            if (goes(Holder.of(marks, token), lost)) {
                changes.add(new Change.DeleteToken(Stage.REMOVE_TOKENS, WHY, token));
            }
        }
        for (StoredGrant grant : facts.fetch().grants().values()) {
            if (goes(Holder.of(marks, grant), lost)) {
                changes.add(new Change.DeleteGrant(Stage.REMOVE_TOKENS, WHY, grant));
            }
        }
        StoredConfig config = found.config();
        if (config != null && goes(Holder.of(marks, config), lost)) {
            changes.add(new Change.DeleteConfig(Stage.REMOVE_TOKENS, WHY, config));
        }
        MachineDeployment machineDeployment = facts.machineDeployment();
        changes.add(new Change.RemoveFinalizer(Stage.REMOVE_FINALIZER, WHY, machineDeployment));
        return changes;
    }

    private static boolean goes(Holder holder, Collisions.@Nullable Lost lost) {
        return switch (holder) {
            case OURS -> true;
            case PREDECESSORS, PEERS -> lost == null;
            case STRANGERS -> false;
        };
    }
}

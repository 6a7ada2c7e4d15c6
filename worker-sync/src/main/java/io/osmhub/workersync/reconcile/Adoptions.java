package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.plan.StoredConfig;
import java.util.List;

/**
 * Counts, during the first look at everything, what the peer left and the hub goes on with. An OperatingSystemConfig without a
 * mark tells that the hub sees it for the first time: it is replaced then, and bears a mark afterwards.
 */
final class Adoptions {
    private int machineDeployments;
    private int unchanged;
    private int changed;

    /** @param changed Secrets whose content is another one from now on */
    record Count(int machineDeployments, int unchanged, int changed) {}

    synchronized void look(Facts facts, Decision decision) {
        StoredConfig config = facts.found().config();
        if (config == null
                || config.annotations().containsKey(Marks.OWNER)
                || !(decision.outcome() instanceof Decision.Outcome.Wanted)) {
            return;
        }
        List<Change> changes = decision.changes();
        int toChange = (int) changes.stream()
                .filter(change -> change instanceof Change.UpdateSecret || change instanceof Change.ReplaceSecret)
                .count();
        machineDeployments++;
        changed += toChange;
        unchanged += facts.found().secrets().size() - toChange;
    }

    /** What was counted since the last time. */
    synchronized Count take() {
        Count count = new Count(machineDeployments, unchanged, changed);
        machineDeployments = 0;
        unchanged = 0;
        changed = 0;
        return count;
    }
}

package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.Marks;
import io.osmhub.core.plan.StoredConfig;
import java.util.List;

/**
 * Counts, during the first pass, the objects of Operating System Manager (OSM) that the hub adopts. An OperatingSystemConfig without
 * a mark and without a status is new to the hub: afterwards it has a status, and a mark once its content changes. Where no status is
 * kept, only the run that marks it counts, because a later run cannot be distinguished from the first.
 */
final class Adoptions {
    private int machineDeployments;
    private int unchanged;
    private int changed;

    /** @param changed Secrets whose content is another one from now on */
    record Count(int machineDeployments, int unchanged, int changed) {}

    synchronized void count(Facts facts, Decision decision, boolean keepsStatus) {
        StoredConfig config = facts.found().config();
        if (config == null
                || config.status() != null
                || config.annotations().containsKey(Marks.OWNER)
                || !(decision.outcome() instanceof Decision.Outcome.Wanted)) {
            return;
        }
        List<Change> changes = decision.changes();
        if (!keepsStatus && changes.stream().noneMatch(Change.ReplaceConfig.class::isInstance)) {
            return;
        }
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

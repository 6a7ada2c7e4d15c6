package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import java.util.List;

/**
 * Counts the objects of Operating System Manager (OSM) that the hub adopts during the first pass. An OperatingSystemConfig
 * without a mark and a status is newly adopted: later it has a status, and a mark once its content changes. If the CRD has no
 * status, only the run that marks it counts, because later runs look the same.
 */
final class AdoptionCounter {
    private int machineDeployments;
    private int unchanged;
    private int changed;

    /** @param changed Secrets whose content changes */
    record AdoptionCount(int machineDeployments, int unchanged, int changed) {}

    synchronized void addRun(Facts facts, Decision decision, boolean keepsStatus) {
        StoredConfig config = facts.found().config();
        if (config == null
                || config.status() != null
                || config.annotations().containsKey(OwnershipAnnotations.OWNER)
                || !(decision.outcome() instanceof Decision.Outcome.Published)) {
            return;
        }
        List<PlannedChange> changes = decision.changes();
        if (!keepsStatus
                && changes.stream()
                        .noneMatch(change -> change instanceof PlannedChange.Replace replace
                                && replace.found() instanceof StoredConfig)) {
            return;
        }
        int changedSecrets =
                (int) changes.stream().filter(PlannedChange::replacesContent).count();
        machineDeployments++;
        changed += changedSecrets;
        unchanged += facts.found().secrets().size() - changedSecrets;
    }

    /** Returns the counts since the last call. */
    synchronized AdoptionCount takeCount() {
        AdoptionCount count = new AdoptionCount(machineDeployments, unchanged, changed);
        machineDeployments = 0;
        unchanged = 0;
        changed = 0;
        return count;
    }
}

package io.osmhub.workersync.reconcile;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.status.MachineDeploymentReport;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of one MachineDeployment after its last run.
 *
 * @param report without the OperatingSystemConfig's status, and without conditions if that has them
 * @param kubeletVersion as written; empty if not set
 * @param revision set by machine-controller; empty before
 * @param createdAt null if unknown
 * @param token with which new nodes join; null if there is none or it is not a bootstrap token
 * @param fetch its own fetch token; null while the shared one is used
 * @param since when its problems began; the last run's time if there are none
 */
public record MachineDeploymentState(
        MachineDeploymentReport report,
        String uid,
        String kubeletVersion,
        String revision,
        @Nullable Instant createdAt,
        Decision.@Nullable TokenInUse token,
        Decision.@Nullable FetchTokenInUse fetch,
        Instant since) {
    static MachineDeploymentState of(RunOutcome.Decided decided, Instant now) {
        MachineDeployment machineDeployment = decided.facts().machineDeployment();
        return new MachineDeploymentState(
                decided.report().withoutStatus(),
                machineDeployment.uid(),
                machineDeployment.kubeletVersion(),
                machineDeployment.revision(),
                machineDeployment.creationTimestamp(),
                decided.token(),
                decided.decision().fetch(),
                now);
    }

    public ObjectKey key() {
        return new ObjectKey(report.namespace(), report.name());
    }

    public NewNodes newNodes() {
        return report.newNodes();
    }

    /** Worst first; empty if there are none. */
    public List<Problem> problems() {
        return report.problems();
    }

    MachineDeploymentState with(MachineDeploymentReport newReport, Instant newSince) {
        return new MachineDeploymentState(newReport, uid, kubeletVersion, revision, createdAt, token, fetch, newSince);
    }
}

package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.status.MachineDeploymentReport;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of one MachineDeployment after its last run.
 *
 * @param report without the OperatingSystemConfig's status
 * @param config name of its OperatingSystemConfig
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
        String config,
        String kubeletVersion,
        String revision,
        @Nullable Instant createdAt,
        Decision.@Nullable TokenInUse token,
        Decision.@Nullable FetchTokenInUse fetch,
        Instant since,
        Instant lastRun) {
    static MachineDeploymentState of(
            MachineDeploymentReport report,
            MachineDeployment machineDeployment,
            Decision.@Nullable TokenInUse token,
            Decision.@Nullable FetchTokenInUse fetch,
            Instant now) {
        return new MachineDeploymentState(
                new MachineDeploymentReport(
                        report.namespace(),
                        report.name(),
                        report.profile(),
                        report.newNodes(),
                        report.problems(),
                        null),
                machineDeployment.uid(),
                ObjectNames.of(machineDeployment).operatingSystemConfig(),
                machineDeployment.kubeletVersion(),
                machineDeployment.revision(),
                machineDeployment.creationTimestamp(),
                token,
                fetch,
                now,
                now);
    }

    public ObjectKey key() {
        return new ObjectKey(report.namespace(), report.name());
    }

    public NewNodes newNodes() {
        return report.newNodes();
    }

    /** Worst first; empty if there are none. */
    public List<ReasonMessage> problems() {
        return report.problems();
    }

    MachineDeploymentState since(Instant moment) {
        return new MachineDeploymentState(
                report, uid, config, kubeletVersion, revision, createdAt, token, fetch, moment, lastRun);
    }

    MachineDeploymentState withReport(NewNodes newNodes, List<ReasonMessage> problems, Instant now) {
        return new MachineDeploymentState(
                new MachineDeploymentReport(
                        report.namespace(), report.name(), report.profile(), newNodes, problems, null),
                uid,
                config,
                kubeletVersion,
                revision,
                createdAt,
                token,
                fetch,
                since,
                now);
    }
}

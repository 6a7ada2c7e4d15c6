package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.status.Report;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one MachineDeployment stands since its last run.
 *
 * @param report without the status, which is the OperatingSystemConfig's
 * @param config name of its OperatingSystemConfig
 * @param profile name that it gives; empty when it names none
 * @param kubeletVersion as written; empty when it is left out
 * @param revision that machine-controller has set; empty before
 * @param createdAt null when the worker cluster did not say
 * @param token with which new nodes join; null when there is none or it is not a bootstrap token
 * @param fetch its own with which machines fetch; null while that is the shared one
 * @param since when its problems began; the last run's time when there are none
 */
public record State(
        Report report,
        String uid,
        String config,
        String profile,
        String kubeletVersion,
        String revision,
        @Nullable Instant createdAt,
        Decision.@Nullable Token token,
        Decision.@Nullable Fetch fetch,
        Instant since,
        Instant lastRun) {
    static State of(
            Report report,
            MachineDeployment machineDeployment,
            Decision.@Nullable Token token,
            Decision.@Nullable Fetch fetch,
            Instant now) {
        return new State(
                new Report(report.namespace(), report.name(), report.newNodes(), report.problems(), null),
                machineDeployment.uid(),
                ObjectNames.of(machineDeployment).operatingSystemConfig(),
                machineDeployment.profileName(),
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

    /** Worst first; empty when all is well. */
    public List<Diagnosis> problems() {
        return report.problems();
    }

    State since(Instant moment) {
        return new State(
                report, uid, config, profile, kubeletVersion, revision, createdAt, token, fetch, moment, lastRun);
    }

    State with(NewNodes newNodes, List<Diagnosis> problems, Instant now) {
        return new State(
                new Report(report.namespace(), report.name(), newNodes, problems, null),
                uid,
                config,
                profile,
                kubeletVersion,
                revision,
                createdAt,
                token,
                fetch,
                since,
                now);
    }
}

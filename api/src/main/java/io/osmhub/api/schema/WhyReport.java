package io.osmhub.api.schema;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.status.Chain.LinkState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains why new nodes are or are not joining: the chain from the profile to the machine and its first broken link.
 *
 * @param verdict one sentence
 * @param otherProblems worst first
 * @param links always these seven, in this order
 * @param waitingMachines names of machines waiting for their user-data
 */
public record WhyReport(
        ObjectRef subject,
        @Nullable ObjectRef machineDeployment,
        NewNodes newNodes,
        String verdict,
        @Nullable Instant since,
        @Nullable ProblemEntry cause,
        @Nullable List<ProblemEntry> otherProblems,
        List<Link> links,
        @Nullable List<String> waitingMachines,
        Instant checkedAt,
        @Nullable String unansweredBy) {
    /** The same with more about its cause. */
    public WhyReport withCause(ProblemEntry detailed) {
        return new WhyReport(
                subject,
                machineDeployment,
                newNodes,
                verdict,
                since,
                detailed,
                otherProblems,
                links,
                waitingMachines,
                checkedAt,
                unansweredBy);
    }

    /** The same diagnosis at another time. */
    public WhyReport withCheckedAt(Instant time) {
        return new WhyReport(
                subject,
                machineDeployment,
                newNodes,
                verdict,
                since,
                cause,
                otherProblems,
                links,
                waitingMachines,
                time,
                unansweredBy);
    }

    /** One link of the chain. */
    public record Link(
            LinkName name,
            LinkState state,
            @Nullable ObjectRef object,
            @Nullable String summary,
            @Nullable Reason reason,
            @Nullable Instant since) {}
}

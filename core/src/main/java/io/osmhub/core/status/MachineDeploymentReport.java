package io.osmhub.core.status;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report on one MachineDeployment after a run.
 *
 * @param newNodes what happens to a node that starts now
 * @param problems worst first
 * @param status of its OperatingSystemConfig; null if it has none
 */
public record MachineDeploymentReport(
        String namespace,
        String name,
        NewNodes newNodes,
        List<ReasonMessage> problems,
        @Nullable OperatingSystemConfigStatus status) {
    public MachineDeploymentReport {
        problems = List.copyOf(problems);
    }

    public static MachineDeploymentReport of(RunResult run) {
        MachineDeployment machineDeployment = run.facts().machineDeployment();
        PublishedState published = new PublishedState(run);
        ConfigConditionsBuilder conditions = new ConfigConditionsBuilder(run, published);
        List<Condition> list = conditions.build();
        NewNodes newNodes = newNodes(run, published, list);
        StoredConfig stored = run.stored();
        boolean ownConfig =
                switch (run.decision().outcome()) {
                    case Outcome.NotManaged _, Outcome.Terminating _, Outcome.Blocked _ -> false;
                    case Outcome.NotRendered _,
                            Outcome.AwaitingFetchToken _,
                            Outcome.Failed _,
                            Outcome.NotPublished _,
                            Outcome.Published _ -> stored != null && stored.belongsTo(machineDeployment);
                };
        return new MachineDeploymentReport(
                machineDeployment.namespace(),
                machineDeployment.name(),
                newNodes,
                problems(run, list),
                ownConfig ? new ConfigStatusBuilder(run, published).build(list, newNodes) : null);
    }

    /** The first that applies. */
    private static NewNodes newNodes(RunResult run, PublishedState published, List<Condition> conditions) {
        if (run.decision().outcome() instanceof Outcome.Blocked) {
            return NewNodes.BLOCKED;
        }
        boolean rendered = ConditionsBuilder.isTrue(conditions, ConfigConditionsBuilder.RENDERED);
        boolean isPublished = ConditionsBuilder.isTrue(conditions, ConfigConditionsBuilder.PUBLISHED);
        if (run.isInProgress()) {
            return NewNodes.PENDING;
        }
        if (startsNothing(run, published)) {
            return NewNodes.BLOCKED;
        }
        if (!rendered || !isPublished) {
            return NewNodes.OUTDATED;
        }
        return ConditionsBuilder.isTrue(conditions, ConfigConditionsBuilder.TOKEN_VALID)
                        && run.circumstances().isNormal()
                ? NewNodes.CURRENT
                : NewNodes.AT_RISK;
    }

    private static boolean startsNothing(RunResult run, PublishedState published) {
        Instant end = published.tokenExpiration();
        boolean joins = ConfigConditionsBuilder.usesServiceAccount(run)
                ? run.facts().serviceAccountToken().findings().isEmpty()
                : end != null && end.isAfter(run.facts().now());
        String revision = run.facts().machineDeployment().revision();
        return !joins
                || !published.has(SecretRole.PROVISIONING)
                || !revision.equals(published.revision(SecretRole.BOOTSTRAP));
    }

    /** Problems of the decision and of carrying it out. */
    private static List<ReasonMessage> problems(RunResult run, List<Condition> conditions) {
        List<ReasonMessage> problems = new ArrayList<>(run.decision().problems());
        if (run.failure() != null) {
            problems.add(run.failure());
        }
        for (Condition condition : conditions) {
            Reason reason = Reason.of(condition.reason()).orElse(Reason.InternalError);
            boolean known = problems.stream().anyMatch(problem -> problem.reason() == reason);
            if (condition.status() != Status.TRUE && reason.severity() != Severity.INFO && !known) {
                problems.add(new ReasonMessage(reason, condition.message()));
            }
        }
        problems.sort(Comparator.comparing(problem -> problem.reason().severity()));
        return problems;
    }

    /** Reports a failure of the hub's own code in a run without a decision. */
    public static ReasonMessage internalError(String tenant, String kind, String name, String runId) {
        return Reason.InternalError.with("tenant", tenant, "kind", kind, "name", name, "id", runId);
    }
}

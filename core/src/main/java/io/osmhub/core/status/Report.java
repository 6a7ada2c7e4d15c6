package io.osmhub.core.status;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is told of one MachineDeployment after a run.
 *
 * @param newNodes what happens to a node that starts now
 * @param problems worst first
 * @param status of its OperatingSystemConfig; null when it has none, or none of its own
 */
public record Report(
        String namespace,
        String name,
        NewNodes newNodes,
        List<Diagnosis> problems,
        @Nullable OperatingSystemConfigStatus status) {
    public Report {
        problems = List.copyOf(problems);
    }

    public static Report of(Run run) {
        MachineDeployment machineDeployment = run.facts().machineDeployment();
        PublishedSet published = new PublishedSet(run);
        ConfigConditions conditions = new ConfigConditions(run, published);
        List<Condition> list = conditions.list();
        NewNodes newNodes = newNodes(run, published, list);
        StoredConfig stored = run.stored();
        boolean ownConfig =
                switch (run.decision().outcome()) {
                    case Outcome.NotOurs _, Outcome.Leaving _, Outcome.Blocked _ -> false;
                    case Outcome.NotRendered _,
                            Outcome.AwaitsToken _,
                            Outcome.Failed _,
                            Outcome.Held _,
                            Outcome.Wanted _ -> stored != null && stored.isOf(machineDeployment);
                };
        return new Report(
                machineDeployment.namespace(),
                machineDeployment.name(),
                newNodes,
                problems(run, list),
                ownConfig ? new ConfigStatus(run, published).status(list, newNodes) : null);
    }

    /** First that applies. */
    private static NewNodes newNodes(Run run, PublishedSet published, List<Condition> conditions) {
        if (run.decision().outcome() instanceof Outcome.Blocked) {
            return NewNodes.BLOCKED;
        }
        boolean rendered = Conditions.holds(conditions, ConfigConditions.RENDERED);
        boolean isPublished = Conditions.holds(conditions, ConfigConditions.PUBLISHED);
        if (run.isUnderWay()) {
            return NewNodes.PENDING;
        }
        if (startsNothing(run, published)) {
            return NewNodes.BLOCKED;
        }
        if (!rendered || !isPublished) {
            return NewNodes.OUTDATED;
        }
        return Conditions.holds(conditions, ConfigConditions.TOKEN_VALID)
                        && run.circumstances().normal()
                ? NewNodes.CURRENT
                : NewNodes.AT_RISK;
    }

    private static boolean startsNothing(Run run, PublishedSet published) {
        Instant end = published.tokenEnd();
        boolean joins = ConfigConditions.byServiceAccount(run)
                ? run.facts().serviceAccountToken().findings().isEmpty()
                : end != null && end.isAfter(run.facts().now());
        String revision = run.facts().machineDeployment().revision();
        return !joins
                || !published.has(SecretRole.PROVISIONING)
                || !revision.equals(published.revision(SecretRole.BOOTSTRAP));
    }

    /** Those of the decision, and what came on top when it was carried out. */
    private static List<Diagnosis> problems(Run run, List<Condition> conditions) {
        List<Diagnosis> problems = new ArrayList<>(run.decision().problems());
        if (run.failure() != null) {
            problems.add(run.failure());
        }
        for (Condition condition : conditions) {
            Reason reason = Reason.of(condition.reason()).orElse(Reason.InternalError);
            boolean known = problems.stream().anyMatch(problem -> problem.reason() == reason);
            if (condition.status() != Status.TRUE && reason.severity() != Severity.INFO && !known) {
                problems.add(new Diagnosis(reason, condition.message()));
            }
        }
        problems.sort(Comparator.comparing(problem -> problem.reason().severity()));
        return problems;
    }

    /** A failure of the hub's own code in a run that came to no decision. */
    public static Diagnosis internalError(String tenant, String kind, String name, String runId) {
        return new Diagnosis(
                Reason.InternalError,
                Message.of(Reason.InternalError, Map.of("tenant", tenant, "kind", kind, "name", name, "id", runId)));
    }
}

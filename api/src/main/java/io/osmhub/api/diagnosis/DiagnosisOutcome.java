package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosedProblem;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.status.Chain;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Result of a diagnosis: the effect on new nodes and its cause.
 *
 * @param since null if unknown
 * @param cause null without a problem, or if the hub will act next
 * @param broken the link that the cause breaks; null if none
 */
record DiagnosisOutcome(
        NewNodes newNodes,
        @Nullable Instant since,
        @Nullable DiagnosedProblem cause,
        @Nullable LinkName broken) {
    static DiagnosisOutcome of(DiagnosisSnapshot situation) {
        NewNodes newNodes = newNodes(situation);
        DiagnosedProblem cause = newNodes == NewNodes.CURRENT
                ? null
                : Chain.cause(situation.troubles(), DiagnosedProblem::problem).orElse(null);
        return new DiagnosisOutcome(
                newNodes,
                since(situation, newNodes, cause),
                cause,
                cause == null ? null : cause.problem().link());
    }

    /** The last run's result may be outdated while no run is possible. */
    private static NewNodes newNodes(DiagnosisSnapshot situation) {
        boolean notSeen = has(situation, Reason.RevisionNotSet) || has(situation, Reason.MachineDeploymentAPIMissing);
        return switch (situation.newNodes()) {
            case PENDING, BLOCKED -> situation.newNodes();
            case CURRENT, AT_RISK, OUTDATED -> {
                if (tokenEnded(situation) || tokenDeleted(situation) || notSeen) {
                    yield NewNodes.BLOCKED;
                }
                boolean current = situation.newNodes() == NewNodes.CURRENT;
                boolean endangered = situation.troubles().stream()
                        .anyMatch(trouble -> trouble.problem().link() != null
                                && trouble.reason().severity() == Severity.ERROR);
                yield current && (endangered || has(situation, Reason.Paused))
                        ? NewNodes.AT_RISK
                        : situation.newNodes();
            }
        };
    }

    static boolean tokenEnded(DiagnosisSnapshot situation) {
        Instant end = situation.token().end();
        return !situation.token().byServiceAccount() && end != null && !end.isAfter(situation.now());
    }

    static boolean tokenDeleted(DiagnosisSnapshot situation) {
        return !situation.token().byServiceAccount()
                && !situation.token().deleted().isEmpty();
    }

    private static boolean has(DiagnosisSnapshot situation, Reason reason) {
        return situation.troubles().stream().anyMatch(trouble -> trouble.reason() == reason);
    }

    private static @Nullable Instant since(
            DiagnosisSnapshot situation, NewNodes newNodes, @Nullable DiagnosedProblem cause) {
        Instant end = situation.token().end();
        boolean byToken = newNodes == NewNodes.BLOCKED && situation.newNodes() != NewNodes.BLOCKED;
        if (byToken && end != null && tokenEnded(situation)) {
            return end;
        }
        return cause != null ? cause.since() : null;
    }

    /** Whether a problem of the token is open. */
    static boolean hasTokenProblem(DiagnosisSnapshot situation) {
        return situation.troubles().stream()
                .anyMatch(trouble -> trouble.problem().link() == LinkName.BOOTSTRAP_TOKEN);
    }
}

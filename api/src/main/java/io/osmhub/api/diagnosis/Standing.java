package io.osmhub.api.diagnosis;

import io.osmhub.api.schema.WhyReport.Link.LinkName;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a situation comes to: what happens to a new node, and which problem is the cause. Of several problems it is the one that breaks
 * the first link, because what comes after follows from it; and none that follows from a lost connection, as an ended token does.
 *
 * @param since null when it is not known
 * @param cause null when nothing is wrong, or the next move is the hub's
 * @param broken the link that the cause breaks; null without one
 */
record Standing(
        NewNodes newNodes,
        @Nullable Instant since,
        Situation.@Nullable Trouble cause,
        @Nullable LinkName broken) {
    /** While these last the hub cannot write, or may not: what is missing then is missing because of them. */
    private static final Set<Reason> NOTHING_IS_WRITTEN = Set.of(
            Reason.Paused,
            Reason.KubeconfigSecretNotFound,
            Reason.KubeconfigKeyNotFound,
            Reason.KubeconfigInvalid,
            Reason.KubeconfigFieldRefused,
            Reason.EndpointRefused,
            Reason.CredentialsRejected,
            Reason.CredentialsExpired,
            Reason.LocalTargetRefused,
            Reason.EndpointNotResolved,
            Reason.WorkerClusterUnreachable,
            Reason.WorkerClusterNotResponding,
            Reason.TLSVerificationFailed,
            Reason.ClusterIdentityChanged,
            Reason.TenantNamespaceTaken,
            Reason.WorkerClusterDuplicate,
            Reason.PeerControllerActive);

    private static final Set<Reason> FOLLOWS_FROM_THAT = Set.of(
            Reason.BootstrapTokenExpiring,
            Reason.BootstrapTokenExpired,
            Reason.BootstrapTokenMissing,
            Reason.FetchTokenExpiring,
            Reason.FetchTokenExpired,
            Reason.PublishRetrying,
            Reason.SyncBacklog);

    private static final Comparator<Situation.Trouble> FIRST = Comparator.comparing(
                    (Situation.Trouble trouble) -> BrokenLink.of(trouble).orElseThrow())
            .thenComparing(trouble -> trouble.reason().severity())
            .thenComparing(Situation.Trouble::since)
            .thenComparing(trouble -> trouble.reason().word());

    static Standing of(Situation situation) {
        NewNodes newNodes = newNodes(situation);
        Situation.Trouble cause =
                newNodes == NewNodes.CURRENT ? null : cause(situation).orElse(null);
        return new Standing(
                newNodes,
                since(situation, newNodes, cause),
                cause,
                cause == null ? null : BrokenLink.of(cause).orElseThrow());
    }

    /** What was true at the last run may not be any more: time goes on while nothing can run. */
    private static NewNodes newNodes(Situation situation) {
        boolean notSeen = has(situation, Reason.RevisionNotSet) || has(situation, Reason.MachineDeploymentAPIMissing);
        return switch (situation.newNodes()) {
            case PENDING, BLOCKED -> situation.newNodes();
            case CURRENT, AT_RISK, OUTDATED -> {
                if (tokenEnded(situation) || tokenDeleted(situation) || notSeen) {
                    yield NewNodes.BLOCKED;
                }
                boolean current = situation.newNodes() == NewNodes.CURRENT;
                boolean endangered = situation.troubles().stream()
                        .anyMatch(trouble -> BrokenLink.of(trouble).isPresent()
                                && trouble.reason().severity() == Severity.ERROR);
                yield current && (endangered || has(situation, Reason.Paused))
                        ? NewNodes.AT_RISK
                        : situation.newNodes();
            }
        };
    }

    static boolean tokenEnded(Situation situation) {
        Instant end = situation.token().end();
        return !situation.token().byServiceAccount() && end != null && !end.isAfter(situation.now());
    }

    static boolean tokenDeleted(Situation situation) {
        return !situation.token().byServiceAccount()
                && !situation.token().deleted().isEmpty();
    }

    private static boolean has(Situation situation, Reason reason) {
        return situation.troubles().stream().anyMatch(trouble -> trouble.reason() == reason);
    }

    private static Optional<Situation.Trouble> cause(Situation situation) {
        boolean held = situation.troubles().stream().anyMatch(trouble -> NOTHING_IS_WRITTEN.contains(trouble.reason()));
        List<Situation.Trouble> candidates = situation.troubles().stream()
                .filter(trouble -> BrokenLink.of(trouble).isPresent())
                .filter(trouble -> trouble.reason() != Reason.PublishPending)
                .filter(trouble -> !held || !FOLLOWS_FROM_THAT.contains(trouble.reason()))
                .sorted(FIRST)
                .toList();
        // What only endangers is the cause only if nothing is worse.
        return candidates.stream()
                .filter(trouble ->
                        trouble.reason().severity() == Severity.ERROR || NOTHING_IS_WRITTEN.contains(trouble.reason()))
                .findFirst()
                .or(() -> candidates.stream().findFirst());
    }

    private static @Nullable Instant since(Situation situation, NewNodes newNodes, Situation.@Nullable Trouble cause) {
        Instant end = situation.token().end();
        boolean byToken = newNodes == NewNodes.BLOCKED && situation.newNodes() != NewNodes.BLOCKED;
        if (byToken && end != null && tokenEnded(situation)) {
            return end;
        }
        return cause != null ? cause.since() : situation.since();
    }
}

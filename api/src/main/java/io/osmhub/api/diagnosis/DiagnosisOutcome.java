package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosedProblemEntries.ProblemMessage;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosedProblem;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.Severity;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Result of a diagnosis: the effect on new nodes and its cause. Of several problems the cause is the one that breaks the first link,
 * because later ones follow from it; a consequence of a lost connection, such as an expired token, is never the cause.
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
    /** With these the hub cannot or must not write; missing objects are their consequence. */
    private static final Set<Reason> NOTHING_IS_WRITTEN = Set.of(
            Reason.Paused,
            Reason.TenantPermissionsMissing,
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

    private static final Comparator<DiagnosedProblem> FIRST = Comparator.comparing(
                    (DiagnosedProblem trouble) -> BrokenLinkResolver.of(trouble).orElseThrow())
            .thenComparing(trouble -> trouble.reason().severity())
            .thenComparing(DiagnosedProblem::since)
            .thenComparing(trouble -> trouble.reason().wireName());

    static DiagnosisOutcome of(DiagnosisSnapshot situation) {
        NewNodes newNodes = newNodes(situation);
        DiagnosedProblem cause =
                newNodes == NewNodes.CURRENT ? null : cause(situation).orElse(null);
        return new DiagnosisOutcome(
                newNodes,
                since(situation, newNodes, cause),
                cause,
                cause == null ? null : BrokenLinkResolver.of(cause).orElseThrow());
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
                        .anyMatch(trouble -> BrokenLinkResolver.of(trouble).isPresent()
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

    private static Optional<DiagnosedProblem> cause(DiagnosisSnapshot situation) {
        boolean held = situation.troubles().stream().anyMatch(trouble -> NOTHING_IS_WRITTEN.contains(trouble.reason()));
        List<DiagnosedProblem> candidates = situation.troubles().stream()
                .filter(trouble -> BrokenLinkResolver.of(trouble).isPresent())
                .filter(trouble -> trouble.reason() != Reason.PublishPending)
                .filter(trouble -> !held || !FOLLOWS_FROM_THAT.contains(trouble.reason()))
                .sorted(FIRST)
                .toList();
        // A mere risk is the cause only without a worse problem.
        return candidates.stream()
                .filter(trouble ->
                        trouble.reason().severity() == Severity.ERROR || NOTHING_IS_WRITTEN.contains(trouble.reason()))
                .findFirst()
                .or(() -> candidates.stream().findFirst());
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

    /** Maps problems to the chain link that they break. */
    static final class BrokenLinkResolver {
        /** Messages of these name the object that could not be written. */
        private static final Set<Reason> WRITING = EnumSet.of(
                Reason.PublishRetrying,
                Reason.WriteForbidden,
                Reason.WriteRejected,
                Reason.ObjectNotOwned,
                Reason.DriftLoop);

        private BrokenLinkResolver() {}

        /** Empty if it breaks none: it is listed beside the chain. */
        static Optional<LinkName> of(DiagnosedProblem trouble) {
            return WRITING.contains(trouble.reason())
                    ? Optional.of(written(trouble.message()))
                    : Optional.ofNullable(trouble.reason().brokenLink());
        }

        /** Problems of the token. */
        static List<DiagnosedProblem> tokens(DiagnosisSnapshot situation) {
            return situation.troubles().stream()
                    .filter(trouble ->
                            of(trouble).filter(LinkName.BOOTSTRAP_TOKEN::equals).isPresent())
                    .toList();
        }

        /** The link of the object that the message names. */
        private static LinkName written(String message) {
            ProblemMessage place = ProblemMessage.parse(message);
            if (place.kind().equals("OperatingSystemConfig")) {
                return LinkName.RENDERED_CONFIG;
            }
            if (place.kind().equals("Secret")) {
                if (place.name().endsWith("-kubelet-bootstrap-config")
                        || place.name().contains("bootstrap-token-")) {
                    return LinkName.BOOTSTRAP_TOKEN;
                }
                if (place.name().endsWith("-bootstrap-config") || place.name().contains("edge-provider-script-")) {
                    return LinkName.BOOTSTRAP_SECRET;
                }
            }
            return LinkName.PROVISIONING_SECRET;
        }
    }
}

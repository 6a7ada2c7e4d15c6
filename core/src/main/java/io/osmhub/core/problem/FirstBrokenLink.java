package io.osmhub.core.problem;

import io.osmhub.core.problem.Reason.LinkName;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the cause among the problems of a MachineDeployment and its tenant: the one that breaks the first link, because later ones
 * follow from it. A consequence of a lost connection, such as an expired token, is never the cause.
 */
public final class FirstBrokenLink {
    /** An open problem. */
    public interface Candidate {
        Reason reason();

        String message();

        Instant since();
    }

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

    /** Messages of these name the object that could not be written. */
    private static final Set<Reason> WRITING = EnumSet.of(
            Reason.PublishRetrying,
            Reason.WriteForbidden,
            Reason.WriteRejected,
            Reason.ObjectNotOwned,
            Reason.DriftLoop);

    private static final Comparator<Candidate> FIRST = Comparator.comparing(
                    (Candidate problem) -> of(problem).orElseThrow())
            .thenComparing(problem -> problem.reason().severity())
            .thenComparing(Candidate::since)
            .thenComparing(problem -> problem.reason().wireName());

    private FirstBrokenLink() {}

    /** Empty if no problem breaks a link. */
    public static <P extends Candidate> Optional<P> cause(Collection<P> problems) {
        boolean held = problems.stream().anyMatch(problem -> NOTHING_IS_WRITTEN.contains(problem.reason()));
        List<P> candidates = problems.stream()
                .filter(problem -> of(problem).isPresent())
                .filter(problem -> problem.reason() != Reason.PublishPending)
                .filter(problem -> !held || !FOLLOWS_FROM_THAT.contains(problem.reason()))
                .sorted(FIRST)
                .toList();
        // A mere risk is the cause only without a worse problem.
        return candidates.stream()
                .filter(problem ->
                        problem.reason().severity() == Severity.ERROR || NOTHING_IS_WRITTEN.contains(problem.reason()))
                .findFirst()
                .or(() -> candidates.stream().findFirst());
    }

    /** The link that a problem breaks; empty if it breaks none. */
    public static Optional<LinkName> of(Candidate problem) {
        return WRITING.contains(problem.reason())
                ? Optional.of(written(problem.message()))
                : Optional.ofNullable(problem.reason().brokenLink());
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

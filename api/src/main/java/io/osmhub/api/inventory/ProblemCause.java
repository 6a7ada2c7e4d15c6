package io.osmhub.api.inventory;

import io.osmhub.api.inventory.ProblemRow.ProblemSubject;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.ProblemMessage;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;

/**
 * What is broken: a profile, an API server, a credential, a setting, or one object. Problems with the same cause, on any object, are
 * resolved by one fix. Equal on every replica, because it depends only on stored values.
 */
final class ProblemCause {
    private ProblemCause() {}

    /** Identifies the cause; empty for a summary of other problems. */
    static String of(ProblemSubject about, Reason reason, String message, String endpoint) {
        return reason == Reason.MachineDeploymentsFailing
                ? ""
                : Sha256.hex(broken(about, reason, ProblemMessage.parse(message), message, endpoint), 8);
    }

    private static String broken(
            ProblemSubject about, Reason reason, ProblemMessage parts, String message, String endpoint) {
        String profile = profile(about, reason, message);
        boolean ofProfile = reason.category() == Category.PROFILE
                || reason.brokenLink() == LinkName.PROFILE
                || reason == Reason.UserDataTooLarge
                || reason == Reason.UserDataUnreadable
                || reason == Reason.UserDataSuspect
                || reason == Reason.ObjectTooLarge;
        String object = String.join(" ", about.kind().word(), about.tenant(), about.namespace(), about.name());
        String tenant = "tenant " + about.tenant() + " " + about.workerCluster();
        if (ofProfile && !profile.isEmpty()) {
            return switch (reason) {
                case ProfileNotFound -> "no profile " + profile;
                // The same profile may not support two providers: each needs its own fix.
                case ProfileOperatingSystemMismatch,
                        ProfileCloudProviderMismatch,
                        ProfileKubernetesVersionMismatch,
                        ProvisioningUtilityMismatch -> "mismatch " + profile + " " + reason + " " + parts.cause();
                case UserDataTooLarge, ObjectTooLarge -> "size " + profile;
                case UserDataUnreadable, UserDataSuspect -> "content " + profile + " " + parts.field();
                default -> "profile " + profile;
            };
        }
        return switch (reason) {
            case EndpointNotResolved,
                    WorkerClusterUnreachable,
                    WorkerClusterNotResponding,
                    WorkerClusterDegraded,
                    WorkerClusterThrottled -> endpoint.isEmpty() ? "connection of " + tenant : "endpoint " + endpoint;
            case ProviderReferenceNotFound, ProviderReferenceForbidden, ProfileNamespaceNotGranted ->
                reason + " " + parts.cause() + " " + tenant;
            case RevisionNotSet -> reason + " " + tenant;
            case ObjectNotOwned, DriftLoop, NameCollision, NameTooLong, InternalError -> reason + " " + object;
            default ->
                switch (reason.category()) {
                    case PUBLISH, TOKEN -> reason + " " + tenant;
                    case CREDENTIALS, SETTINGS, OWNERSHIP, CONNECTION, SUMMARY ->
                        String.join(" ", reason.wireName(), tenant, parts.kind(), parts.name(), parts.field());
                    case MACHINE, PROFILE, HUB -> reason + " " + object;
                };
        };
    }

    /** The profile as namespace/name; empty if the problem is about none. */
    static String profile(ProblemSubject about, Reason reason, String message) {
        String named = about.kind() == ProblemRow.Kind.PROFILE
                ? about.namespace() + "/" + about.name()
                : ProblemMessage.profile(message);
        boolean unknown = named.isEmpty() || named.contains("/") || reason == Reason.ProfileNotFound;
        return unknown ? named : about.tenant() + "/" + named;
    }
}

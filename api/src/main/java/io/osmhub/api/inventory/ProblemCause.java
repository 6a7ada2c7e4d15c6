package io.osmhub.api.inventory;

import io.osmhub.api.inventory.ProblemRow.ProblemSubject;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;

/**
 * What is broken: a profile, an extension, an API server, a credential, a setting, or one object. Problems with the same
 * cause, on any object, are resolved by one fix. Equal on every replica, because it depends only on stored values.
 */
final class ProblemCause {
    private ProblemCause() {}

    /** Identifies the cause; empty for a summary of other problems. {@code profile} that is wrong; empty if none. */
    static String of(ProblemSubject about, Problem problem, String profile, String endpoint) {
        return problem.reason() == Reason.MachineDeploymentsFailing
                ? ""
                : Sha256.hex(broken(about, problem, profile, endpoint), 8);
    }

    private static String broken(ProblemSubject about, Problem problem, String profile, String endpoint) {
        Reason reason = problem.reason();
        String object = String.join(" ", about.kind().word(), about.tenant(), about.namespace(), about.name());
        String tenant = "tenant " + about.tenant() + " " + about.workerCluster();
        if (problem.object().isExtension()) {
            return "extension " + problem.object().path() + " " + reason;
        }
        if (!profile.isEmpty()) {
            return switch (reason) {
                case ProfileNotFound -> "no profile " + profile;
                // The same profile may not support two providers: each needs its own fix.
                case ProfileOperatingSystemMismatch,
                        ProfileCloudProviderMismatch,
                        ProfileKubernetesVersionMismatch,
                        ProvisioningUtilityMismatch -> "mismatch " + profile + " " + reason + " " + problem.cause();
                case UserDataTooLarge, ObjectTooLarge -> "size " + profile;
                case UserDataUnreadable, UserDataSuspect -> "content " + profile + " " + problem.field();
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
                reason + " " + problem.cause() + " " + tenant;
            case RevisionNotSet -> reason + " " + tenant;
            // A definition or a permission of the hub, whatever MachineDeployment it is found at.
            case ExtensionsUnreadable -> reason.wireName();
            case ObjectNotOwned, DriftLoop, NameCollision, NameTooLong, InternalError -> reason + " " + object;
            default ->
                switch (reason.category()) {
                    case PUBLISH, TOKEN -> reason + " " + tenant;
                    case CREDENTIALS, SETTINGS, OWNERSHIP, CONNECTION, SUMMARY ->
                        String.join(
                                " ", reason.wireName(), tenant, problem.object().toString(), problem.field());
                    case MACHINE, PROFILE, HUB -> reason + " " + object;
                };
        };
    }

    /** The profile that is wrong, as namespace/name; its name alone if it does not exist, empty if the problem is about none. */
    static String profile(ProblemSubject about, Problem problem, String used) {
        ProblemObject object = problem.object();
        Reason reason = problem.reason();
        boolean ofExtension = object.isExtension()
                || reason == Reason.ExtensionNotFound
                || reason == Reason.ExtensionConflict
                || reason == Reason.ExtensionsUnreadable;
        if (ofExtension) {
            return "";
        }
        boolean ofProfile = reason.category() == Category.PROFILE
                || reason.brokenLink() == LinkName.PROFILE
                || reason == Reason.UserDataTooLarge
                || reason == Reason.UserDataUnreadable
                || reason == Reason.UserDataSuspect
                || reason == Reason.ObjectTooLarge;
        String named = about.kind() == ProblemRow.Kind.PROFILE
                ? about.namespace() + "/" + about.name()
                : object.kind().equals(ProblemRow.Kind.PROFILE.word()) ? object.path() : ofProfile ? used : "";
        boolean complete = named.isEmpty() || named.contains("/") || reason == Reason.ProfileNotFound;
        return complete ? named : about.tenant() + "/" + named;
    }
}

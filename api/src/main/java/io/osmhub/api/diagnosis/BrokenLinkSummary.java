package io.osmhub.api.diagnosis;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A short summary of the broken link; the cause above the chain has the details. */
final class BrokenLinkSummary {
    private static final Pattern PROFILE = Pattern.compile("OperatingSystemProfile ([a-z0-9./-]*[a-z0-9])");
    private static final Pattern SIZES = Pattern.compile("([0-9,]+ B), .{1,200}? takes ([0-9,]+ B)");
    private static final Pattern OWNER =
            Pattern.compile("(\\S+) already belongs to MachineDeployment (\\S+?)[;,]?(\\s|$)");

    private BrokenLinkSummary() {}

    static String of(LinkName link, DiagnosisSnapshot.DiagnosedProblem cause, DiagnosisSnapshot situation) {
        return switch (link) {
            case PROFILE -> profile(cause, situation);
            case RENDERED_CONFIG -> config(cause);
            case PROVISIONING_SECRET -> secret(situation.provisioning());
            case BOOTSTRAP_SECRET -> bootstrap(situation);
            case BOOTSTRAP_TOKEN -> token(cause, situation);
            case WORKER_CONNECTION -> connection(cause, situation.now());
            case MACHINE_CONTROLLER_PICK_UP ->
                switch (cause.reason()) {
                    case MachineDeploymentAPIMissing -> "its API is not installed";
                    default -> {
                        String refused = ChainBuilder.refusedByMachineController(situation.profile());
                        yield refused.isEmpty() ? "has not set the revision" : refused;
                    }
                };
        };
    }

    private static String profile(DiagnosisSnapshot.DiagnosedProblem cause, DiagnosisSnapshot situation) {
        DiagnosisSnapshot.Profile profile = situation.profile();
        String named = situation.stale() ? said(cause) : ChainBuilder.named(profile);
        return switch (cause.reason()) {
            case ProfileNotFound -> situation.stale() ? said(cause) : profile.name();
            case ProfileNamespaceNotGranted -> situation.stale() ? "its namespace is not granted" : profile.name();
            case ProfileAnnotationMissing -> "annotation removed";
            case TemplateSyntaxError, ProfileFileInvalid -> named + " does not compile";
            case ProfileFieldsPruned -> named + " lost its template engine";
            case ProfileOperatingSystemMismatch ->
                named + " is not for " + known(profile.operatingSystem(), "this operating system");
            case ProfileCloudProviderMismatch ->
                named + " is not for " + known(profile.provider(), "this cloud provider");
            case ProfileKubernetesVersionMismatch -> named + " is not for this kubelet";
            case ProvisioningUtilityMismatch -> named + " is for another utility";
            default -> named + " does not render";
        };
    }

    /** The stored profile is the one published last, which need not be the broken one. */
    private static String said(DiagnosisSnapshot.DiagnosedProblem cause) {
        Matcher profile = PROFILE.matcher(cause.message());
        return profile.find() ? profile.group(1) : "the named profile";
    }

    private static String known(String value, String otherwise) {
        return value.isEmpty() ? otherwise : value;
    }

    private static String config(DiagnosisSnapshot.DiagnosedProblem cause) {
        Matcher sizes = SIZES.matcher(cause.message());
        Matcher owner = OWNER.matcher(cause.message());
        return switch (cause.reason()) {
            case UserDataTooLarge, ObjectTooLarge ->
                sizes.find() ? sizes.group(1) + " of " + sizes.group(2) : "too large";
            case NameCollision -> owner.find() ? owner.group(1) + " belongs to " + owner.group(2) : "another's name";
            case NameTooLong -> "a name would be too long";
            case InternalError -> "the hub failed";
            case ManagementClusterUnreachable -> "the management cluster does not answer";
            case ManagementPermissionsMissing -> "the hub may not write it";
            case LeaseLost -> "this replica has stopped writing";
            case WriteForbidden, WriteRejected, PublishRetrying, ObjectNotOwned, DriftLoop -> "could not be written";
            default -> "cannot be rendered";
        };
    }

    private static String secret(DiagnosisSnapshot.Secret secret) {
        return secret.present() ? ReportFormat.bytes(secret.bytes()) + ", outdated" : "missing";
    }

    private static String bootstrap(DiagnosisSnapshot situation) {
        DiagnosisSnapshot.Config config = situation.config();
        if (!situation.bootstrap().present()) {
            return "missing";
        }
        return config.wantedRevision().equals(config.publishedRevision())
                ? "outdated, revision " + config.publishedRevision()
                : ChainBuilder.awaited(config);
    }

    private static String token(DiagnosisSnapshot.DiagnosedProblem cause, DiagnosisSnapshot situation) {
        if (cause.reason() == Reason.ScopedTokenNotGranted) {
            return "no scoped fetch token";
        }
        boolean fetching = cause.reason() == Reason.FetchTokenExpiring || cause.reason() == Reason.FetchTokenExpired;
        Instant end =
                fetching ? situation.token().fetchEnd() : situation.token().end();
        if (end == null && !fetching && DiagnosisOutcome.tokenDeleted(situation)) {
            return situation.token().deleted() + " was deleted";
        }
        if (end == null) {
            return "missing";
        }
        return end.isAfter(situation.now())
                ? ReportFormat.age(situation.now(), end) + " left, not extended"
                : "ended " + ReportFormat.age(end, situation.now()) + " ago";
    }

    private static String connection(DiagnosisSnapshot.DiagnosedProblem cause, Instant now) {
        String age = ReportFormat.age(cause.since(), now);
        return switch (cause.reason()) {
            case Paused -> "paused for " + age;
            case WorkerClusterNotResponding -> "no response for " + age;
            case WorkerClusterUnreachable -> "no connection for " + age;
            case EndpointNotResolved -> "its name has no address";
            case EndpointRefused -> "its address is not allowed";
            case TLSVerificationFailed -> "its certificate is not the expected one";
            case ClusterIdentityChanged -> "a different cluster responds";
            case CredentialsRejected -> "refused since " + ReportFormat.clock(cause.since(), now);
            case CredentialsExpired -> "the credential has expired";
            case CredentialsExpiring -> "the credential expires soon";
            case CredentialsRenewalFailed -> "the credential cannot be renewed";
            case NewCredentialsUnproven -> "the new kubeconfig does not work";
            case PermissionsMissing -> "permissions are missing";
            case WorkerClusterDegraded -> "it responds with errors";
            case WorkerClusterThrottled -> "it throttles requests";
            case PeerControllerActive -> "operating-system-manager still runs";
            case WorkerClusterDuplicate, TenantNamespaceTaken -> "registered twice";
            case RegistrationConflict -> "the registration contradicts itself";
            case LocalTargetRefused -> "this target is not allowed";
            default -> "no usable kubeconfig";
        };
    }
}

package io.osmhub.api.diagnosis;

import io.osmhub.api.schema.WhyReport.Link.LinkName;
import io.osmhub.core.problem.Reason;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What stands behind the broken link, in a few words; the cause above the chain says it in full. */
final class BrokenWords {
    private static final Pattern PROFILE = Pattern.compile("OperatingSystemProfile ([a-z0-9./-]*[a-z0-9])");
    private static final Pattern SIZES = Pattern.compile("([0-9,]+ B), .{1,200}? takes ([0-9,]+ B)");
    private static final Pattern OWNER =
            Pattern.compile("(\\S+) already belongs to MachineDeployment (\\S+?)[;,]?(\\s|$)");

    private BrokenWords() {}

    static String of(LinkName link, Situation.Trouble cause, Situation situation) {
        return switch (link) {
            case PROFILE -> profile(cause, situation);
            case RENDERED_CONFIG -> config(cause);
            case PROVISIONING_SECRET -> secret(situation.provisioning());
            case BOOTSTRAP_SECRET -> bootstrap(situation);
            case BOOTSTRAP_TOKEN -> token(cause, situation);
            case WORKER_CONNECTION -> connection(cause, situation.now());
            case MACHINE_CONTROLLER_PICK_UP ->
                switch (cause.reason()) {
                    case MachineDeploymentAPIMissing -> "its API is not there";
                    default -> {
                        String refused = Chain.refusedByMachineController(situation.profile());
                        yield refused.isEmpty() ? "has not set the revision" : refused;
                    }
                };
        };
    }

    private static String profile(Situation.Trouble cause, Situation situation) {
        Situation.Profile profile = situation.profile();
        String named = situation.stale() ? said(cause) : Chain.named(profile);
        return switch (cause.reason()) {
            case ProfileNotFound -> situation.stale() ? said(cause) : profile.name();
            case ProfileNamespaceNotGranted -> situation.stale() ? "its namespace is not granted" : profile.name();
            case ProfileAnnotationMissing -> "not named any more";
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

    /** What is stored names the profile that was published last, which need not be the one that is wrong. */
    private static String said(Situation.Trouble cause) {
        Matcher profile = PROFILE.matcher(cause.message());
        return profile.find() ? profile.group(1) : "the profile that is named";
    }

    private static String known(String value, String otherwise) {
        return value.isEmpty() ? otherwise : value;
    }

    private static String config(Situation.Trouble cause) {
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

    private static String secret(Situation.Secret secret) {
        return secret.present() ? Words.bytes(secret.bytes()) + ", not as wanted" : "missing";
    }

    private static String bootstrap(Situation situation) {
        Situation.Config config = situation.config();
        if (!situation.bootstrap().present()) {
            return "missing";
        }
        return config.wantedRevision().equals(config.publishedRevision())
                ? "not as wanted, revision " + config.publishedRevision()
                : Chain.awaited(config);
    }

    private static String token(Situation.Trouble cause, Situation situation) {
        if (cause.reason() == Reason.ScopedTokenNotGranted) {
            return "no scoped fetch token";
        }
        boolean fetching = cause.reason() == Reason.FetchTokenExpiring || cause.reason() == Reason.FetchTokenExpired;
        Instant end =
                fetching ? situation.token().fetchEnd() : situation.token().end();
        if (end == null && !fetching && Standing.tokenDeleted(situation)) {
            return situation.token().deleted() + " was deleted";
        }
        if (end == null) {
            return "missing";
        }
        return end.isAfter(situation.now())
                ? Words.age(situation.now(), end) + " left, not extended"
                : "ended " + Words.age(end, situation.now()) + " ago";
    }

    private static String connection(Situation.Trouble cause, Instant now) {
        String age = Words.age(cause.since(), now);
        return switch (cause.reason()) {
            case Paused -> "paused for " + age;
            case WorkerClusterNotResponding -> "no answer for " + age;
            case WorkerClusterUnreachable -> "no connection for " + age;
            case EndpointNotResolved -> "its name has no address";
            case EndpointRefused -> "its address is not allowed";
            case TLSVerificationFailed -> "its certificate is not the expected one";
            case ClusterIdentityChanged -> "another cluster than before answers";
            case CredentialsRejected -> "refused since " + Words.clock(cause.since(), now);
            case CredentialsExpired -> "the credential has ended";
            case CredentialsExpiring -> "the credential ends soon";
            case CredentialsRenewalFailed -> "the credential cannot be renewed";
            case NewCredentialsUnproven -> "the new kubeconfig does not work";
            case PermissionsMissing -> "permissions are missing";
            case WorkerClusterDegraded -> "it answers with errors";
            case WorkerClusterThrottled -> "it refuses requests as too many";
            case PeerControllerActive -> "operating-system-manager still runs";
            case WorkerClusterDuplicate, TenantNamespaceTaken -> "registered twice";
            case RegistrationConflict -> "the registration contradicts itself";
            case LocalTargetRefused -> "this target is not allowed";
            default -> "no usable kubeconfig";
        };
    }
}

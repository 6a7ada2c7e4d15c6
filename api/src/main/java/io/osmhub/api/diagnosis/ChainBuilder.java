package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosedProblem;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosisSubject;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.ObservedMachines;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.WhyReport.Link;
import io.osmhub.api.schema.WhyReport.Link.LinkState;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.problem.FirstBrokenLink;
import io.osmhub.core.problem.ProblemMessage;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Builds the seven links. */
final class ChainBuilder {
    private static final int LONGEST = 256;
    private static final Duration KEPT = Duration.ofMinutes(20);

    private final DiagnosisSnapshot situation;
    private final DiagnosisOutcome standing;

    ChainBuilder(DiagnosisSnapshot situation, DiagnosisOutcome standing) {
        this.situation = situation;
        this.standing = standing;
    }

    /** State of a link; the summary may be empty. */
    private record LinkResult(LinkState state, String summary) {}

    List<Link> buildLinks() {
        return Arrays.stream(LinkName.values()).map(this::link).toList();
    }

    private Link link(LinkName name) {
        DiagnosedProblem cause = standing.cause();
        boolean broken = name == standing.broken() && cause != null;
        LinkResult found = broken
                ? new LinkResult(LinkState.BROKEN, BrokenLinkSummary.of(name, Objects.requireNonNull(cause), situation))
                : whole(name);
        String summary = found.summary();
        return new Link(
                name,
                found.state(),
                object(name),
                summary.isEmpty() ? null : summary.substring(0, Math.min(LONGEST, summary.length())),
                broken && cause != null ? cause.reason() : null,
                broken && cause != null ? cause.since() : null);
    }

    private LinkResult whole(LinkName name) {
        return switch (name) {
            case PROFILE -> profile();
            case RENDERED_CONFIG -> config();
            case PROVISIONING_SECRET -> provisioning();
            case BOOTSTRAP_SECRET -> bootstrap();
            case BOOTSTRAP_TOKEN -> token();
            case WORKER_CONNECTION -> connection();
            case MACHINE_CONTROLLER_PICK_UP -> machineController();
        };
    }

    private boolean brokenBefore(LinkName name) {
        return standing.broken() != null && standing.broken().compareTo(name) < 0;
    }

    /** Another MachineDeployment owns the object of this name. */
    private boolean nameIsTaken() {
        DiagnosedProblem cause = standing.cause();
        return cause != null && (cause.reason() == Reason.NameCollision || cause.reason() == Reason.NameTooLong);
    }

    private boolean isDisconnected() {
        return !situation.connection().connected();
    }

    private LinkResult profile() {
        DiagnosisSnapshot.Profile profile = situation.profile();
        if (profile.name().isEmpty()) {
            return new LinkResult(LinkState.UNKNOWN, "");
        }
        String serves = profile.operatingSystem().isEmpty()
                ? ""
                : ", " + profile.operatingSystem() + " on " + profile.provider();
        return new LinkResult(LinkState.OK, named(profile) + serves);
    }

    static String named(DiagnosisSnapshot.Profile profile) {
        return profile.version().isEmpty() ? profile.name() : profile.name() + " " + profile.version();
    }

    private LinkResult config() {
        DiagnosisSnapshot.Config config = situation.config();
        if (brokenBefore(LinkName.RENDERED_CONFIG)) {
            return situation.bootstrap().present()
                    ? new LinkResult(LinkState.OLDER_KEPT, versionAndRevision())
                    : new LinkResult(LinkState.WAITING, "");
        }
        if (config.contentHash().isEmpty()) {
            return new LinkResult(LinkState.WAITING, "");
        }
        String revision = config.wantedRevision().isEmpty() ? "no revision yet" : "revision " + config.wantedRevision();
        String settings =
                config.settingsHash().isEmpty() ? "" : ", settings " + ReportFormat.hash(config.settingsHash());
        return new LinkResult(
                LinkState.OK, revision + settings + ", content " + ReportFormat.hash(config.contentHash()));
    }

    private String versionAndRevision() {
        DiagnosisSnapshot.Config config = situation.config();
        String revision = config.publishedRevision().isEmpty() ? "" : "revision " + config.publishedRevision();
        if (config.publishedVersion().isEmpty()) {
            return revision;
        }
        return revision.isEmpty() ? config.publishedVersion() : config.publishedVersion() + ", " + revision;
    }

    private boolean revisionDiffers() {
        return !situation.config().wantedRevision().equals(situation.config().publishedRevision());
    }

    private LinkResult provisioning() {
        DiagnosisSnapshot.Secret secret = situation.provisioning();
        if (nameIsTaken() || !secret.present()) {
            return new LinkResult(
                    isDisconnected() && !brokenBefore(LinkName.PROVISIONING_SECRET)
                            ? LinkState.UNKNOWN
                            : LinkState.WAITING,
                    "");
        }
        if (brokenBefore(LinkName.PROVISIONING_SECRET)) {
            return new LinkResult(
                    LinkState.OLDER_KEPT,
                    revisionDiffers()
                            ? "revision " + situation.config().publishedRevision()
                            : situation.config().publishedVersion());
        }
        return isDisconnected()
                ? new LinkResult(LinkState.UNKNOWN, ReportFormat.bytes(secret.bytes()) + " when last seen")
                : new LinkResult(LinkState.OK, ReportFormat.bytes(secret.bytes()));
    }

    private LinkResult bootstrap() {
        DiagnosisSnapshot.Secret secret = situation.bootstrap();
        DiagnosisSnapshot.Config config = situation.config();
        if (nameIsTaken() || !secret.present()) {
            return new LinkResult(
                    isDisconnected() && !brokenBefore(LinkName.BOOTSTRAP_SECRET)
                            ? LinkState.UNKNOWN
                            : LinkState.WAITING,
                    "");
        }
        String revision = config.publishedRevision().isEmpty() ? "" : ", revision " + config.publishedRevision();
        if (brokenBefore(LinkName.BOOTSTRAP_SECRET)) {
            return new LinkResult(LinkState.OLDER_KEPT, revisionDiffers() ? awaited(config) : versionAndRevision());
        }
        if (isDisconnected()) {
            return new LinkResult(LinkState.UNKNOWN, ReportFormat.bytes(secret.bytes()) + " when last seen" + revision);
        }
        String limit = secret.limitBytes() == null ? "" : " of " + ReportFormat.bytes(secret.limitBytes());
        return revisionDiffers()
                ? new LinkResult(LinkState.WAITING, awaited(config))
                : new LinkResult(LinkState.OK, ReportFormat.bytes(secret.bytes()) + limit + revision);
    }

    static String awaited(DiagnosisSnapshot.Config config) {
        String published =
                config.publishedRevision().isEmpty() ? "no revision" : "revision " + config.publishedRevision();
        return published + ", machine-controller wants " + config.wantedRevision();
    }

    /** Remaining validity of the machines' scoped fetch token; empty while they use the shared one. */
    private String fetching() {
        Instant end = situation.token().fetchEnd();
        if (end == null) {
            return "";
        }
        Duration left = Duration.between(situation.now(), end);
        return left.isPositive()
                ? ", scoped fetch token " + ReportFormat.minutes(left)
                : ", scoped fetch token ended " + ReportFormat.age(end, situation.now()) + " ago";
    }

    private LinkResult token() {
        Instant end = situation.token().end();
        if (situation.token().byServiceAccount()) {
            return new LinkResult(
                    isDisconnected() ? LinkState.UNKNOWN : LinkState.OK,
                    "token of a ServiceAccount, does not expire" + fetching());
        }
        if (DiagnosisOutcome.tokenDeleted(situation) && !nameIsTaken()) {
            return new LinkResult(LinkState.WAITING, situation.token().deleted() + " was deleted");
        }
        if (nameIsTaken() || end == null) {
            boolean known = nameIsTaken() || !isDisconnected() && !situation.isStored();
            return new LinkResult(known ? LinkState.WAITING : LinkState.UNKNOWN, "");
        }
        Duration left = Duration.between(situation.now(), end);
        if (!left.isPositive()) {
            return new LinkResult(
                    isDisconnected() ? LinkState.UNKNOWN : LinkState.WAITING,
                    "ended " + ReportFormat.age(end, situation.now()) + " ago");
        }
        String said = ReportFormat.minutes(left) + " left" + fetching();
        if (isDisconnected()) {
            return new LinkResult(LinkState.UNKNOWN, said + ", cannot be extended");
        }
        return new LinkResult(LinkState.OK, left.compareTo(KEPT) < 0 ? said : said + ", kept above 20 min");
    }

    private LinkResult connection() {
        DiagnosisSnapshot.Connection connection = situation.connection();
        if (!connection.connected()) {
            return situation.troubles().stream()
                    .filter(trouble -> FirstBrokenLink.of(trouble)
                            .filter(LinkName.WORKER_CONNECTION::equals)
                            .isPresent())
                    .findFirst()
                    .map(trouble -> new LinkResult(
                            LinkState.UNKNOWN, BrokenLinkSummary.of(LinkName.WORKER_CONNECTION, trouble, situation)))
                    .orElseGet(() -> new LinkResult(LinkState.UNKNOWN, "not connected now"));
        }
        StringBuilder said = new StringBuilder(connection.host());
        if (!connection.version().isEmpty()) {
            said.append(said.isEmpty() ? "" : ", ").append(connection.version());
        }
        if (connection.lastEvent() != null) {
            said.append(", last event ")
                    .append(ReportFormat.age(connection.lastEvent(), situation.now()))
                    .append(" ago");
        }
        return new LinkResult(LinkState.OK, said.toString());
    }

    private LinkResult machineController() {
        if (isDisconnected()) {
            return new LinkResult(LinkState.UNKNOWN, "not known without a connection");
        }
        DiagnosisSnapshot.Config config = situation.config();
        ObservedMachines machines = situation.machines();
        String refused = refusedByMachineController(situation.profile());
        boolean started = machines != null
                && machines.unread().isEmpty()
                && machines.total() > machines.waiting().size();
        if (!refused.isEmpty() && !started) {
            return new LinkResult(LinkState.WAITING, refused);
        }
        boolean served = situation.bootstrap().present() && !nameIsTaken() && !revisionDiffers();
        if (!served) {
            boolean known = machines != null && machines.unread().isEmpty();
            int waiting = machines == null ? 0 : machines.waiting().size();
            String verb = waiting == 1 ? " waits" : " wait";
            boolean awaitsRevision = situation.bootstrap().present()
                    && !nameIsTaken()
                    && !config.wantedRevision().isEmpty();
            if (awaitsRevision) {
                return new LinkResult(
                        LinkState.WAITING,
                        known
                                ? ReportFormat.machines(waiting) + verb + " for revision " + config.wantedRevision()
                                : "waits for revision " + config.wantedRevision());
            }
            return new LinkResult(
                    LinkState.WAITING,
                    known ? "asks every 3 s; " + ReportFormat.machines(waiting) + verb : "asks every 3 s");
        }
        if (machines == null) {
            String revision = config.wantedRevision();
            String said = revision.isEmpty() ? "" : "revision " + revision + " is set";
            return situation.isStored()
                    ? new LinkResult(
                            LinkState.UNKNOWN,
                            said.isEmpty() ? "machines are not read" : said + "; machines are not read")
                    : new LinkResult(LinkState.OK, said);
        }
        if (!machines.unread().isEmpty()) {
            return new LinkResult(LinkState.UNKNOWN, "machines were not read: " + machines.unread());
        }
        if (!machines.overdue().isEmpty()) {
            return new LinkResult(LinkState.WAITING, machines.overdue());
        }
        return new LinkResult(
                LinkState.OK,
                (machines.total() - machines.waiting().size()) + " of " + ReportFormat.machines(machines.total())
                        + " have their user-data");
    }

    /** Why machine-controller creates no machine with the operating system; empty if it does, or none is known. */
    static String refusedByMachineController(DiagnosisSnapshot.Profile profile) {
        String operatingSystem = profile.operatingSystem();
        return operatingSystem.isEmpty() || OperatingSystemSpec.OF_MACHINE_CONTROLLER.contains(operatingSystem)
                ? ""
                : "machine-controller does not accept " + operatingSystem + ", only "
                        + String.join(", ", OperatingSystemSpec.OF_MACHINE_CONTROLLER)
                        + "; another controller must create the machines";
    }

    private @Nullable ObjectRef object(LinkName name) {
        DiagnosisSubject subject = situation.subject();
        return switch (name) {
            case PROFILE -> {
                String profile = situation.profile().name();
                int slash = profile.indexOf('/');
                yield profile.isEmpty()
                        ? null
                        : DiagnosedProblemEntries.ref(
                                "OperatingSystemProfile",
                                slash < 0 ? null : profile.substring(0, slash),
                                profile.substring(slash + 1));
            }
            case RENDERED_CONFIG ->
                DiagnosedProblemEntries.ref(
                        "OperatingSystemConfig",
                        subject.tenant(),
                        situation.config().name());
            case PROVISIONING_SECRET -> secret(situation.provisioning());
            case BOOTSTRAP_SECRET -> secret(situation.bootstrap());
            case BOOTSTRAP_TOKEN -> null;
            case WORKER_CONNECTION ->
                DiagnosedProblemEntries.ref("WorkerCluster", subject.tenant(), subject.workerCluster());
            case MACHINE_CONTROLLER_PICK_UP ->
                DiagnosedProblemEntries.ref("MachineDeployment", subject.namespace(), subject.name());
        };
    }

    private static ObjectRef secret(DiagnosisSnapshot.Secret secret) {
        return DiagnosedProblemEntries.ref("Secret", secret.namespace(), secret.name());
    }

    /** A short summary of the broken link; the cause above the chain has the details. */
    static final class BrokenLinkSummary {
        private static final Pattern SIZES =
                Pattern.compile("([0-9,]+ B)(?: after gzip)?(?: of |, .{1,200}? accepts )([0-9,]+ B)");
        private static final Pattern OWNER =
                Pattern.compile("(\\S+) already belongs to MachineDeployment (\\S+?)[;,]?(\\s|$)");

        private BrokenLinkSummary() {}

        static String of(LinkName link, DiagnosedProblem cause, DiagnosisSnapshot situation) {
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

        private static String profile(DiagnosedProblem cause, DiagnosisSnapshot situation) {
            DiagnosisSnapshot.Profile profile = situation.profile();
            String named = situation.isStored() ? said(cause) : ChainBuilder.named(profile);
            return switch (cause.reason()) {
                case ProfileNotFound -> situation.isStored() ? said(cause) : profile.name();
                case ProfileNamespaceNotGranted ->
                    situation.isStored() ? "its namespace is not granted" : profile.name();
                case ProfileAnnotationMissing -> "annotation removed";
                case TemplateSyntaxError, TemplateFunctionRefused, ProfileFileInvalid -> named + " does not compile";
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
        private static String said(DiagnosedProblem cause) {
            String profile = ProblemMessage.profile(cause.message());
            return profile.isEmpty() ? "the named profile" : profile;
        }

        private static String known(String value, String otherwise) {
            return value.isEmpty() ? otherwise : value;
        }

        private static String config(DiagnosedProblem cause) {
            Matcher sizes = SIZES.matcher(cause.message());
            Matcher owner = OWNER.matcher(cause.message());
            return switch (cause.reason()) {
                case UserDataTooLarge, ObjectTooLarge ->
                    sizes.find() ? sizes.group(1) + " of " + sizes.group(2) : "too large";
                case UserDataUnreadable -> "no node can read it";
                case NameCollision ->
                    owner.find() ? owner.group(1) + " belongs to " + owner.group(2) : "another's name";
                case NameTooLong -> "a name would be too long";
                case InternalError -> "the hub failed";
                case ManagementClusterUnreachable -> "the management cluster does not answer";
                case ManagementPermissionsMissing -> "the hub may not write it";
                case LeaseLost -> "this replica has stopped writing";
                case WriteForbidden, WriteRejected, PublishRetrying, ObjectNotOwned, DriftLoop ->
                    "could not be written";
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

        private static String token(DiagnosedProblem cause, DiagnosisSnapshot situation) {
            if (cause.reason() == Reason.ScopedTokenNotGranted) {
                return "no scoped fetch token";
            }
            boolean fetching =
                    cause.reason() == Reason.FetchTokenExpiring || cause.reason() == Reason.FetchTokenExpired;
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

        private static String connection(DiagnosedProblem cause, Instant now) {
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
}

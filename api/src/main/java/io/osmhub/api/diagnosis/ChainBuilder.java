package io.osmhub.api.diagnosis;

import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosedProblem;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.DiagnosisSubject;
import io.osmhub.api.diagnosis.DiagnosisSnapshot.ObservedMachines;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.WhyReport.Link;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.status.Chain.LinkState;
import io.osmhub.core.userdata.UserDataSize;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the seven links. */
final class ChainBuilder {
    private static final int LONGEST = 256;
    private static final Duration KEPT = Duration.ofMinutes(20);

    private final DiagnosisSnapshot snapshot;
    private final DiagnosisOutcome outcome;

    ChainBuilder(DiagnosisSnapshot snapshot, DiagnosisOutcome outcome) {
        this.snapshot = snapshot;
        this.outcome = outcome;
    }

    List<Link> buildLinks() {
        List<LinkState> states = snapshot.chain().states(outcome.broken());
        return Arrays.stream(LinkName.values())
                .map(name -> link(name, states.get(name.ordinal())))
                .toList();
    }

    private Link link(LinkName name, LinkState chainState) {
        DiagnosedProblem cause = chainState == LinkState.BROKEN ? outcome.cause() : null;
        LinkState state =
                switch (name) {
                    case MACHINE_CONTROLLER_PICK_UP -> withMachines(chainState);
                    case BOOTSTRAP_TOKEN -> withToken(chainState);
                    default -> chainState;
                };
        String summary =
                switch (name) {
                    case PROFILE -> profile(cause);
                    case RENDERED_CONFIG -> cause == null ? config(state) : ReportFormat.words(cause.reason());
                    case PROVISIONING_SECRET -> provisioning(state);
                    case BOOTSTRAP_SECRET -> bootstrap(state);
                    case BOOTSTRAP_TOKEN -> token(state, cause);
                    case WORKER_CONNECTION -> connection(state, cause);
                    case MACHINE_CONTROLLER_PICK_UP -> machineController(state, cause);
                };
        return new Link(
                name,
                state,
                object(name),
                summary.isEmpty() ? null : summary.substring(0, Math.min(LONGEST, summary.length())),
                cause == null ? null : cause.reason(),
                cause == null ? null : cause.since());
    }

    /** Another MachineDeployment owns the object of this name. */
    private boolean nameIsTaken() {
        DiagnosedProblem cause = outcome.cause();
        return cause != null && (cause.reason() == Reason.NameCollision || cause.reason() == Reason.NameTooLong);
    }

    /** The stored profile is the one published last, which need not be the broken one. */
    private String profile(@Nullable DiagnosedProblem cause) {
        DiagnosisSnapshot.Profile profile = snapshot.profile();
        if (cause != null) {
            String words = ReportFormat.words(cause.reason());
            return snapshot.isStored() || profile.name().isEmpty() ? words : named(profile) + ": " + words;
        }
        if (!profile.extensions().isEmpty()) {
            return named(profile)
                    + (profile.extensions().size() == 1 ? " with extension " : " with extensions ")
                    + String.join(", ", profile.extensions());
        }
        String serves = profile.operatingSystem().isEmpty()
                ? ""
                : ", " + profile.operatingSystem() + " on " + profile.provider();
        return profile.name().isEmpty() ? "" : named(profile) + serves;
    }

    static String named(DiagnosisSnapshot.Profile profile) {
        return profile.version().isEmpty() ? profile.name() : profile.name() + " " + profile.version();
    }

    private String config(LinkState state) {
        DiagnosisSnapshot.Config config = snapshot.config();
        if (state == LinkState.OLDER_KEPT) {
            return versionAndRevision();
        }
        if (state != LinkState.OK || config.contentHash().isEmpty()) {
            return "";
        }
        String revision = config.wantedRevision().isEmpty() ? "no revision yet" : "revision " + config.wantedRevision();
        String settings =
                config.settingsHash().isEmpty() ? "" : ", settings " + ReportFormat.hash(config.settingsHash());
        return revision + settings + ", content " + ReportFormat.hash(config.contentHash());
    }

    private String versionAndRevision() {
        DiagnosisSnapshot.Config config = snapshot.config();
        String revision = config.publishedRevision().isEmpty() ? "" : "revision " + config.publishedRevision();
        if (config.publishedVersion().isEmpty()) {
            return revision;
        }
        return revision.isEmpty() ? config.publishedVersion() : config.publishedVersion() + ", " + revision;
    }

    private boolean revisionDiffers() {
        return !snapshot.config().wantedRevision().equals(snapshot.config().publishedRevision());
    }

    private String provisioning(LinkState state) {
        DiagnosisSnapshot.Secret secret = snapshot.provisioning();
        DiagnosisSnapshot.Config config = snapshot.config();
        String bytes = UserDataSize.formatBytes(secret.bytes());
        if (nameIsTaken() || !secret.present()) {
            return state == LinkState.BROKEN ? "missing" : "";
        }
        return switch (state) {
            case OLDER_KEPT -> revisionDiffers() ? "revision " + config.publishedRevision() : config.publishedVersion();
            case BROKEN -> bytes + ", outdated";
            case UNKNOWN -> bytes + " when last seen";
            case WAITING, OK -> bytes;
        };
    }

    private String bootstrap(LinkState state) {
        DiagnosisSnapshot.Secret secret = snapshot.bootstrap();
        DiagnosisSnapshot.Config config = snapshot.config();
        String bytes = UserDataSize.formatBytes(secret.bytes());
        if (nameIsTaken() || !secret.present()) {
            return state == LinkState.BROKEN ? "missing" : "";
        }
        if (revisionDiffers() && state != LinkState.UNKNOWN) {
            return awaited(config);
        }
        String revision = config.publishedRevision().isEmpty() ? "" : ", revision " + config.publishedRevision();
        String limit = secret.limitBytes() == null ? "" : " of " + UserDataSize.formatBytes(secret.limitBytes());
        return switch (state) {
            case OLDER_KEPT -> versionAndRevision();
            case BROKEN -> "outdated" + revision;
            case UNKNOWN -> bytes + " when last seen" + revision;
            case WAITING, OK -> bytes + limit + revision;
        };
    }

    static String awaited(DiagnosisSnapshot.Config config) {
        String published =
                config.publishedRevision().isEmpty() ? "no revision" : "revision " + config.publishedRevision();
        return published + ", machine-controller wants " + config.wantedRevision();
    }

    /** Remaining validity of the machines' scoped fetch token; empty while they use the shared one. */
    private String fetching() {
        Instant end = snapshot.token().fetchEnd();
        if (end == null) {
            return "";
        }
        Duration left = Duration.between(snapshot.now(), end);
        return left.isPositive()
                ? ", scoped fetch token " + ReportFormat.minutes(left)
                : ", scoped fetch token ended " + ReportFormat.age(end, snapshot.now()) + " ago";
    }

    private String token(LinkState state, @Nullable DiagnosedProblem cause) {
        DiagnosisSnapshot.Token token = snapshot.token();
        Instant end = token.end();
        if (cause != null && cause.reason() == Reason.ScopedTokenNotGranted) {
            return "no scoped fetch token";
        }
        if (token.byServiceAccount()) {
            return "token of a ServiceAccount, does not expire" + fetching();
        }
        if (DiagnosisOutcome.tokenDeleted(snapshot) && !nameIsTaken()) {
            return token.deleted() + " was deleted";
        }
        if (nameIsTaken() || end == null) {
            return state == LinkState.BROKEN ? "missing" : "";
        }
        Duration left = Duration.between(snapshot.now(), end);
        if (!left.isPositive()) {
            return "ended " + ReportFormat.age(end, snapshot.now()) + " ago";
        }
        String remaining = ReportFormat.minutes(left) + " left" + fetching();
        return switch (state) {
            case BROKEN -> remaining + ", not extended";
            case UNKNOWN -> remaining + ", cannot be extended";
            case OK, WAITING, OLDER_KEPT -> left.compareTo(KEPT) < 0 ? remaining : remaining + ", kept above 20 min";
        };
    }

    /** The token may have ended or been deleted since the run that set the condition. */
    private LinkState withToken(LinkState state) {
        boolean missing = DiagnosisOutcome.tokenEnded(snapshot) || DiagnosisOutcome.tokenDeleted(snapshot);
        return state == LinkState.OK && missing ? LinkState.WAITING : state;
    }

    private String connection(LinkState state, @Nullable DiagnosedProblem cause) {
        if (state != LinkState.OK) {
            return Stream.concat(Stream.ofNullable(cause), snapshot.troubles().stream())
                    .filter(trouble -> trouble.problem().link() == LinkName.WORKER_CONNECTION)
                    .findFirst()
                    .map(trouble -> ReportFormat.words(trouble.reason()) + " for "
                            + ReportFormat.age(trouble.since(), snapshot.now()))
                    .orElse("not connected now");
        }
        DiagnosisSnapshot.Connection connection = snapshot.connection();
        String event = connection.lastEvent() == null
                ? ""
                : "last event " + ReportFormat.age(connection.lastEvent(), snapshot.now()) + " ago";
        return Stream.of(connection.host(), connection.version(), event)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /** Machines are read only for a report, and only where the chain reaches them. */
    private LinkState withMachines(LinkState state) {
        ObservedMachines machines = snapshot.machines();
        if (state != LinkState.OK) {
            return state;
        }
        if (machines == null) {
            return snapshot.isStored() ? LinkState.UNKNOWN : awaitsAnotherController() ? LinkState.WAITING : state;
        }
        if (!machines.unread().isEmpty()) {
            return LinkState.UNKNOWN;
        }
        return awaitsAnotherController() || !machines.overdue().isEmpty() ? LinkState.WAITING : state;
    }

    private boolean awaitsAnotherController() {
        ObservedMachines machines = snapshot.machines();
        boolean started = machines != null
                && machines.unread().isEmpty()
                && machines.total() > machines.waiting().size();
        return !started && !refusedByMachineController(snapshot.profile()).isEmpty();
    }

    private String machineController(LinkState state, @Nullable DiagnosedProblem cause) {
        String refused = refusedByMachineController(snapshot.profile());
        if (cause != null) {
            return cause.reason() == Reason.MachineDeploymentAPIMissing
                    ? "its API is not installed"
                    : refused.isEmpty() ? "has not set the revision" : refused;
        }
        if (!snapshot.chain().connected()) {
            return "not known without a connection";
        }
        if (awaitsAnotherController()) {
            return refused;
        }
        ObservedMachines machines = snapshot.machines();
        String revision = snapshot.config().wantedRevision();
        boolean known = machines != null && machines.unread().isEmpty();
        boolean served = snapshot.bootstrap().present() && !nameIsTaken();
        if (!served || revisionDiffers()) {
            int number = machines == null ? 0 : machines.waiting().size();
            String waiting = known ? ReportFormat.machines(number) + (number == 1 ? " waits" : " wait") : "";
            return served && !revision.isEmpty()
                    ? (known ? waiting : "waits") + " for revision " + revision
                    : "asks every 3 s" + (known ? "; " + waiting : "");
        }
        if (machines == null) {
            String set = revision.isEmpty() ? "" : "revision " + revision + " is set";
            return state == LinkState.UNKNOWN
                    ? set.isEmpty() ? "machines are not read" : set + "; machines are not read"
                    : set;
        }
        if (!known) {
            return "machines were not read: " + machines.unread();
        }
        return !machines.overdue().isEmpty()
                ? machines.overdue()
                : (machines.total() - machines.waiting().size()) + " of " + ReportFormat.machines(machines.total())
                        + " have their user-data";
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
        DiagnosisSubject subject = snapshot.subject();
        return switch (name) {
            case PROFILE -> {
                String profile = snapshot.profile().name();
                int slash = profile.indexOf('/');
                yield profile.isEmpty()
                        ? null
                        : new ObjectRef(
                                Cluster.MANAGEMENT,
                                "OperatingSystemProfile",
                                slash < 0 ? null : profile.substring(0, slash),
                                profile.substring(slash + 1));
            }
            case RENDERED_CONFIG -> {
                String config = snapshot.config().name();
                yield new ObjectRef(Cluster.MANAGEMENT, "OperatingSystemConfig", subject.tenant(), config);
            }
            case PROVISIONING_SECRET -> secret(snapshot.provisioning());
            case BOOTSTRAP_SECRET -> secret(snapshot.bootstrap());
            case BOOTSTRAP_TOKEN -> null;
            case WORKER_CONNECTION ->
                new ObjectRef(Cluster.MANAGEMENT, "WorkerCluster", subject.tenant(), subject.workerCluster());
            case MACHINE_CONTROLLER_PICK_UP ->
                new ObjectRef(Cluster.WORKER, "MachineDeployment", subject.namespace(), subject.name());
        };
    }

    private static ObjectRef secret(DiagnosisSnapshot.Secret secret) {
        return new ObjectRef(Cluster.WORKER, "Secret", secret.namespace(), secret.name());
    }
}

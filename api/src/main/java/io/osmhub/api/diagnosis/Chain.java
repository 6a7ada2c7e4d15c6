package io.osmhub.api.diagnosis;

import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.WhyReport.Link;
import io.osmhub.api.schema.WhyReport.Link.LinkName;
import io.osmhub.api.schema.WhyReport.Link.LinkState;
import io.osmhub.core.machine.OperatingSystemSpec;
import io.osmhub.core.problem.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The seven links, each with what was found. */
final class Chain {
    private static final int LONGEST = 256;
    private static final Duration KEPT = Duration.ofMinutes(20);

    private final Situation situation;
    private final Standing standing;

    Chain(Situation situation, Standing standing) {
        this.situation = situation;
        this.standing = standing;
    }

    /** How a link stands; the summary is empty when there is nothing to say. */
    private record Found(LinkState state, String summary) {}

    List<Link> links() {
        return Arrays.stream(LinkName.values()).map(this::link).toList();
    }

    private Link link(LinkName name) {
        Situation.Trouble cause = standing.cause();
        boolean broken = name == standing.broken() && cause != null;
        Found found = broken
                ? new Found(LinkState.BROKEN, BrokenWords.of(name, Objects.requireNonNull(cause), situation))
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

    private Found whole(LinkName name) {
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

    /** What is found under its names is another one's. */
    private boolean nameIsTaken() {
        Situation.Trouble cause = standing.cause();
        return cause != null && (cause.reason() == Reason.NameCollision || cause.reason() == Reason.NameTooLong);
    }

    private boolean lost() {
        return !situation.connection().connected();
    }

    private Found profile() {
        Situation.Profile profile = situation.profile();
        if (profile.name().isEmpty()) {
            return new Found(LinkState.UNKNOWN, "");
        }
        String serves = profile.operatingSystem().isEmpty()
                ? ""
                : ", " + profile.operatingSystem() + " on " + profile.provider();
        return new Found(LinkState.OK, named(profile) + serves);
    }

    static String named(Situation.Profile profile) {
        return profile.version().isEmpty() ? profile.name() : profile.name() + " " + profile.version();
    }

    private Found config() {
        Situation.Config config = situation.config();
        if (brokenBefore(LinkName.RENDERED_CONFIG)) {
            return situation.bootstrap().present()
                    ? new Found(LinkState.OLDER_KEPT, versionAndRevision())
                    : new Found(LinkState.WAITING, "");
        }
        if (config.contentHash().isEmpty()) {
            return new Found(LinkState.WAITING, "");
        }
        String revision = config.wantedRevision().isEmpty() ? "no revision yet" : "revision " + config.wantedRevision();
        String settings = config.settingsHash().isEmpty() ? "" : ", settings " + Words.hash(config.settingsHash());
        return new Found(LinkState.OK, revision + settings + ", content " + Words.hash(config.contentHash()));
    }

    private String versionAndRevision() {
        Situation.Config config = situation.config();
        String revision = config.publishedRevision().isEmpty() ? "" : "revision " + config.publishedRevision();
        if (config.publishedVersion().isEmpty()) {
            return revision;
        }
        return revision.isEmpty() ? config.publishedVersion() : config.publishedVersion() + ", " + revision;
    }

    private boolean revisionDiffers() {
        return !situation.config().wantedRevision().equals(situation.config().publishedRevision());
    }

    private Found provisioning() {
        Situation.Secret secret = situation.provisioning();
        if (nameIsTaken() || !secret.present()) {
            return new Found(
                    lost() && !brokenBefore(LinkName.PROVISIONING_SECRET) ? LinkState.UNKNOWN : LinkState.WAITING, "");
        }
        if (brokenBefore(LinkName.PROVISIONING_SECRET)) {
            return new Found(
                    LinkState.OLDER_KEPT,
                    revisionDiffers()
                            ? "revision " + situation.config().publishedRevision()
                            : situation.config().publishedVersion());
        }
        return lost()
                ? new Found(LinkState.UNKNOWN, Words.bytes(secret.bytes()) + " when last seen")
                : new Found(LinkState.OK, Words.bytes(secret.bytes()));
    }

    private Found bootstrap() {
        Situation.Secret secret = situation.bootstrap();
        Situation.Config config = situation.config();
        if (nameIsTaken() || !secret.present()) {
            return new Found(
                    lost() && !brokenBefore(LinkName.BOOTSTRAP_SECRET) ? LinkState.UNKNOWN : LinkState.WAITING, "");
        }
        String revision = config.publishedRevision().isEmpty() ? "" : ", revision " + config.publishedRevision();
        if (brokenBefore(LinkName.BOOTSTRAP_SECRET)) {
            return new Found(LinkState.OLDER_KEPT, revisionDiffers() ? awaited(config) : versionAndRevision());
        }
        if (lost()) {
            return new Found(LinkState.UNKNOWN, Words.bytes(secret.bytes()) + " when last seen" + revision);
        }
        String limit = secret.limitBytes() == null ? "" : " of " + Words.bytes(secret.limitBytes());
        return revisionDiffers()
                ? new Found(LinkState.WAITING, awaited(config))
                : new Found(LinkState.OK, Words.bytes(secret.bytes()) + limit + revision);
    }

    static String awaited(Situation.Config config) {
        String published =
                config.publishedRevision().isEmpty() ? "no revision" : "revision " + config.publishedRevision();
        return published + ", machine-controller wants " + config.wantedRevision();
    }

    /** How long the token of their own lasts that machines fetch with; nothing while they fetch with the shared one. */
    private String fetching() {
        Instant end = situation.token().fetchEnd();
        if (end == null) {
            return "";
        }
        Duration left = Duration.between(situation.now(), end);
        return left.isPositive()
                ? ", scoped fetch token " + Words.minutes(left)
                : ", scoped fetch token ended " + Words.age(end, situation.now()) + " ago";
    }

    private Found token() {
        Instant end = situation.token().end();
        if (situation.token().byServiceAccount()) {
            return new Found(
                    lost() ? LinkState.UNKNOWN : LinkState.OK,
                    "token of a ServiceAccount, without an end" + fetching());
        }
        if (Standing.tokenDeleted(situation) && !nameIsTaken()) {
            return new Found(LinkState.WAITING, situation.token().deleted() + " was deleted");
        }
        if (nameIsTaken() || end == null) {
            boolean known = nameIsTaken() || !lost() && !situation.stale();
            return new Found(known ? LinkState.WAITING : LinkState.UNKNOWN, "");
        }
        Duration left = Duration.between(situation.now(), end);
        if (!left.isPositive()) {
            return new Found(
                    lost() ? LinkState.UNKNOWN : LinkState.WAITING,
                    "ended " + Words.age(end, situation.now()) + " ago");
        }
        String said = Words.minutes(left) + " left" + fetching();
        if (lost()) {
            return new Found(LinkState.UNKNOWN, said + ", cannot be extended");
        }
        return new Found(LinkState.OK, left.compareTo(KEPT) < 0 ? said : said + ", kept above 20 min");
    }

    private Found connection() {
        Situation.Connection connection = situation.connection();
        if (!connection.connected()) {
            return situation.troubles().stream()
                    .filter(trouble -> BrokenLink.of(trouble)
                            .filter(LinkName.WORKER_CONNECTION::equals)
                            .isPresent())
                    .findFirst()
                    .map(trouble -> new Found(
                            LinkState.UNKNOWN, BrokenWords.of(LinkName.WORKER_CONNECTION, trouble, situation)))
                    .orElseGet(() -> new Found(LinkState.UNKNOWN, "not connected now"));
        }
        StringBuilder said = new StringBuilder(connection.host());
        if (!connection.version().isEmpty()) {
            said.append(said.isEmpty() ? "" : ", ").append(connection.version());
        }
        if (connection.lastEvent() != null) {
            said.append(", last event ")
                    .append(Words.age(connection.lastEvent(), situation.now()))
                    .append(" ago");
        }
        return new Found(LinkState.OK, said.toString());
    }

    private Found machineController() {
        if (lost()) {
            return new Found(LinkState.UNKNOWN, "not seen since");
        }
        Situation.Config config = situation.config();
        Situation.MachinesSeen machines = situation.machines();
        String refused = refusedByMachineController(situation.profile());
        boolean started = machines != null
                && machines.unread().isEmpty()
                && machines.total() > machines.waiting().size();
        if (!refused.isEmpty() && !started) {
            return new Found(LinkState.WAITING, refused);
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
                return new Found(
                        LinkState.WAITING,
                        known
                                ? Words.machines(waiting) + verb + " for revision " + config.wantedRevision()
                                : "waits for revision " + config.wantedRevision());
            }
            return new Found(
                    LinkState.WAITING, known ? "asks every 3 s; " + Words.machines(waiting) + verb : "asks every 3 s");
        }
        if (machines == null) {
            String revision = config.wantedRevision();
            String said = revision.isEmpty() ? "" : "revision " + revision + " is set";
            return situation.stale()
                    ? new Found(
                            LinkState.UNKNOWN,
                            said.isEmpty() ? "machines are not read" : said + "; machines are not read")
                    : new Found(LinkState.OK, said);
        }
        if (!machines.unread().isEmpty()) {
            return new Found(LinkState.UNKNOWN, "machines were not read: " + machines.unread());
        }
        return new Found(
                LinkState.OK,
                (machines.total() - machines.waiting().size()) + " of " + Words.machines(machines.total())
                        + " have their user-data");
    }

    /** Why machine-controller creates no machine with the operating system; empty when it does, or none is known. */
    static String refusedByMachineController(Situation.Profile profile) {
        String operatingSystem = profile.operatingSystem();
        return operatingSystem.isEmpty() || OperatingSystemSpec.OF_MACHINE_CONTROLLER.contains(operatingSystem)
                ? ""
                : "machine-controller does not accept " + operatingSystem + ", only "
                        + String.join(", ", OperatingSystemSpec.OF_MACHINE_CONTROLLER)
                        + "; another controller must create the machines";
    }

    private @Nullable ObjectRef object(LinkName name) {
        Situation.Subject subject = situation.subject();
        return switch (name) {
            case PROFILE -> {
                String profile = situation.profile().name();
                int slash = profile.indexOf('/');
                yield profile.isEmpty()
                        ? null
                        : Entries.ref(
                                "OperatingSystemProfile",
                                slash < 0 ? null : profile.substring(0, slash),
                                profile.substring(slash + 1));
            }
            case RENDERED_CONFIG ->
                Entries.ref(
                        "OperatingSystemConfig",
                        subject.tenant(),
                        situation.config().name());
            case PROVISIONING_SECRET -> secret(situation.provisioning());
            case BOOTSTRAP_SECRET -> secret(situation.bootstrap());
            case BOOTSTRAP_TOKEN -> null;
            case WORKER_CONNECTION -> Entries.ref("WorkerCluster", subject.tenant(), subject.workerCluster());
            case MACHINE_CONTROLLER_PICK_UP -> Entries.ref("MachineDeployment", subject.namespace(), subject.name());
        };
    }

    private static ObjectRef secret(Situation.Secret secret) {
        return Entries.ref("Secret", secret.namespace(), secret.name());
    }
}

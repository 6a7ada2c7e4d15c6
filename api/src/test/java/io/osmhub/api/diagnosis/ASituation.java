package io.osmhub.api.diagnosis;

import io.osmhub.api.inventory.TextProblem;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.status.Chain;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds situations for tests; where nothing is said, all is well. */
final class ASituation {
    static final Instant NOW = Instant.parse("2026-11-21T10:40:00Z");

    private DiagnosisSnapshot.DiagnosisSubject subject =
            new DiagnosisSnapshot.DiagnosisSubject("cluster-7xk2m9", "shop", "kube-system", "workers-b", "");
    private NewNodes newNodes = NewNodes.CURRENT;
    private final List<DiagnosisSnapshot.DiagnosedProblem> troubles = new ArrayList<>();
    private DiagnosisSnapshot.Profile profile =
            new DiagnosisSnapshot.Profile("osm-profiles/osp-ubuntu", "v1.4.0", "ubuntu", "aws");
    private DiagnosisSnapshot.Config config = new DiagnosisSnapshot.Config(
            "workers-b-kube-system-config", "1", "1", "v1.4.0", "c55e81f0aa", "9f41c07abb");
    private DiagnosisSnapshot.Secret provisioning = new DiagnosisSnapshot.Secret(
            true, "cloud-init-settings", "workers-b-kube-system-provisioning-config", 24_310, null);
    private DiagnosisSnapshot.Secret bootstrap = new DiagnosisSnapshot.Secret(
            true, "cloud-init-settings", "workers-b-kube-system-bootstrap-config", 3_148, 16_384L);
    private DiagnosisSnapshot.Token token = new DiagnosisSnapshot.Token(NOW.plus(Duration.ofMinutes(91)), false);
    private DiagnosisSnapshot.Connection connection =
            new DiagnosisSnapshot.Connection("api.shop.example.org", "v1.34.4", NOW.minusSeconds(2), true, null);
    private DiagnosisSnapshot.@Nullable ObservedMachines machines =
            new DiagnosisSnapshot.ObservedMachines("", 2, List.of(), "");
    private boolean stored;

    ASituation of(String tenant, String workerCluster, String machineDeployment) {
        int slash = machineDeployment.indexOf('/');
        subject = new DiagnosisSnapshot.DiagnosisSubject(
                tenant,
                workerCluster,
                machineDeployment.substring(0, slash),
                machineDeployment.substring(slash + 1),
                subject.machine());
        return this;
    }

    ASituation machine(String name) {
        subject = new DiagnosisSnapshot.DiagnosisSubject(
                subject.tenant(), subject.workerCluster(), subject.namespace(), subject.name(), name);
        return this;
    }

    ASituation newNodes(NewNodes value) {
        newNodes = value;
        return this;
    }

    ASituation trouble(Reason reason, Duration ago, String message) {
        return trouble(reason, NOW.minus(ago), message);
    }

    ASituation trouble(Reason reason, Instant since, String message) {
        return trouble(problem(reason, message), since);
    }

    /** A problem with an object of that link. */
    ASituation trouble(Reason reason, LinkName link, Duration ago, String message) {
        return trouble(problem(reason, message).atLink(link), NOW.minus(ago));
    }

    ASituation trouble(Problem problem, Duration ago) {
        return trouble(problem, NOW.minus(ago));
    }

    private ASituation trouble(Problem problem, Instant since) {
        troubles.add(new DiagnosisSnapshot.DiagnosedProblem(subject.toProblemSubject(), problem, since));
        return this;
    }

    private Problem problem(Reason reason, String text) {
        return TextProblem.parse(reason, text, subject.workerCluster());
    }

    ASituation profile(String name, String version, String operatingSystem, String provider) {
        profile = new DiagnosisSnapshot.Profile(name, version, operatingSystem, provider);
        return this;
    }

    ASituation extensions(String... names) {
        profile = new DiagnosisSnapshot.Profile(
                profile.name(), profile.version(), profile.operatingSystem(), profile.provider(), List.of(names));
        return this;
    }

    ASituation config(String wanted, String published, String version, String settings, String content) {
        config = new DiagnosisSnapshot.Config("config", wanted, published, version, settings, content);
        return this;
    }

    ASituation noSecrets() {
        return provisioning(false, 0).bootstrap(false, 0, null).config("1", "", "", "", "");
    }

    ASituation provisioning(boolean present, long bytes) {
        provisioning = new DiagnosisSnapshot.Secret(present, "cloud-init-settings", provisioning.name(), bytes, null);
        return this;
    }

    ASituation bootstrap(boolean present, long bytes, @Nullable Long limit) {
        bootstrap = new DiagnosisSnapshot.Secret(present, "cloud-init-settings", bootstrap.name(), bytes, limit);
        return this;
    }

    ASituation tokenLeft(Duration left) {
        token = new DiagnosisSnapshot.Token(NOW.plus(left), false);
        return this;
    }

    ASituation noToken() {
        token = new DiagnosisSnapshot.Token(null, false);
        return this;
    }

    ASituation tokenDeleted(String name) {
        token = new DiagnosisSnapshot.Token(null, false, null, name);
        return this;
    }

    ASituation serviceAccount() {
        token = new DiagnosisSnapshot.Token(null, true);
        return this;
    }

    ASituation connection(String host, String version, int secondsAgo) {
        connection = new DiagnosisSnapshot.Connection(host, version, NOW.minusSeconds(secondsAgo), true, null);
        return this;
    }

    ASituation lost() {
        connection = new DiagnosisSnapshot.Connection(connection.host(), connection.version(), null, false, null);
        return this;
    }

    ASituation credentialEnd(Instant end) {
        connection = new DiagnosisSnapshot.Connection(
                connection.host(), connection.version(), connection.lastEvent(), connection.connected(), end);
        return this;
    }

    ASituation machines(int total, String... waiting) {
        machines = new DiagnosisSnapshot.ObservedMachines("", total, List.of(waiting), "");
        return this;
    }

    ASituation machinesOverdue(String what) {
        machines = new DiagnosisSnapshot.ObservedMachines("", 0, List.of(), what);
        return this;
    }

    ASituation machinesUnread(String why) {
        machines = new DiagnosisSnapshot.ObservedMachines(why, 0, List.of(), "");
        return this;
    }

    ASituation nobodyAskedForMachines() {
        machines = null;
        return this;
    }

    ASituation stored() {
        stored = true;
        return this;
    }

    /** As a run would have left it. */
    private Chain chain() {
        List<Condition> conditions = new ArrayList<>();
        for (LinkName link : LinkName.values()) {
            String type = Chain.condition(link);
            Reason broken = troubles.stream()
                    .filter(trouble -> trouble.problem().link() == link)
                    .map(DiagnosisSnapshot.DiagnosedProblem::reason)
                    .findFirst()
                    .orElse(null);
            if (type != null) {
                Condition.Status status = broken != null
                        ? Condition.Status.FALSE
                        : isWhole(link) ? Condition.Status.TRUE : Condition.Status.UNKNOWN;
                String reason = broken == null ? "PublishPending" : broken.wireName();
                conditions.add(new Condition(type, status, 1L, "2026-11-21T10:00:00Z", reason, ""));
            }
        }
        return new Chain(
                conditions,
                List.of(
                        secret(Role.PROVISIONING, provisioning, LinkName.PROVISIONING_SECRET),
                        secret(Role.BOOTSTRAP, bootstrap, LinkName.BOOTSTRAP_SECRET)),
                connection.connected());
    }

    private boolean isWhole(LinkName link) {
        boolean taken = isOpen(Reason.NameCollision) || isOpen(Reason.NameTooLong);
        boolean published = config.wantedRevision().equals(config.publishedRevision());
        return switch (link) {
            case PROFILE, WORKER_CONNECTION -> true;
            case RENDERED_CONFIG ->
                !isBrokenBefore(link) && !config.contentHash().isEmpty();
            case PROVISIONING_SECRET -> !isBrokenBefore(link) && provisioning.present();
            case BOOTSTRAP_SECRET -> !isBrokenBefore(link) && bootstrap.present() && published;
            case BOOTSTRAP_TOKEN -> !taken && (token.byServiceAccount() || token.end() != null);
            case MACHINE_CONTROLLER_PICK_UP -> !taken && bootstrap.present() && published;
        };
    }

    private boolean isOpen(Reason reason) {
        return troubles.stream().anyMatch(trouble -> trouble.reason() == reason);
    }

    private boolean isBrokenBefore(LinkName link) {
        return troubles.stream()
                .anyMatch(trouble -> trouble.problem().link() != null
                        && trouble.problem().link().compareTo(link) < 0);
    }

    private PublishedSecret secret(Role role, DiagnosisSnapshot.Secret secret, LinkName link) {
        boolean taken = isOpen(Reason.NameCollision) || isOpen(Reason.NameTooLong);
        SecretState state = !secret.present() || taken
                ? SecretState.MISSING
                : isBrokenBefore(link) ? SecretState.OLDER_KEPT : SecretState.CURRENT;
        return new PublishedSecret(role, secret.namespace(), secret.name(), state, null, null, null, null);
    }

    DiagnosisSnapshot build() {
        return new DiagnosisSnapshot(
                subject,
                newNodes,
                chain(),
                troubles,
                profile,
                config,
                provisioning,
                bootstrap,
                token,
                connection,
                machines,
                NOW,
                stored ? "osm-hub-1" : null);
    }
}

package io.osmhub.api.diagnosis;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds situations for tests; where nothing is said, all is well. */
final class ASituation {
    static final Instant NOW = Instant.parse("2026-11-21T10:40:00Z");

    private Situation.Subject subject = new Situation.Subject("cluster-7xk2m9", "shop", "kube-system", "workers-b", "");
    private NewNodes newNodes = NewNodes.CURRENT;
    private @Nullable Instant since;
    private final List<Situation.Trouble> troubles = new ArrayList<>();
    private Situation.Profile profile = new Situation.Profile("osm-profiles/osp-ubuntu", "v1.4.0", "ubuntu", "aws");
    private Situation.Config config =
            new Situation.Config("workers-b-kube-system-config", "1", "1", "v1.4.0", "c55e81f0aa", "9f41c07abb");
    private Situation.Secret provisioning = new Situation.Secret(
            true, "cloud-init-settings", "workers-b-kube-system-provisioning-config", 24_310, null);
    private Situation.Secret bootstrap =
            new Situation.Secret(true, "cloud-init-settings", "workers-b-kube-system-bootstrap-config", 3_148, 16_384L);
    private Situation.Token token = new Situation.Token(NOW.plus(Duration.ofMinutes(91)), false);
    private Situation.Connection connection =
            new Situation.Connection("api.shop.example.org", "v1.34.4", NOW.minusSeconds(2), true);
    private Situation.@Nullable MachinesSeen machines = new Situation.MachinesSeen("", 2, List.of());
    private boolean stale;

    ASituation of(String tenant, String workerCluster, String machineDeployment) {
        int slash = machineDeployment.indexOf('/');
        subject = new Situation.Subject(
                tenant,
                workerCluster,
                machineDeployment.substring(0, slash),
                machineDeployment.substring(slash + 1),
                subject.machine());
        return this;
    }

    ASituation machine(String name) {
        subject = new Situation.Subject(
                subject.tenant(), subject.workerCluster(), subject.namespace(), subject.name(), name);
        return this;
    }

    ASituation newNodes(NewNodes value) {
        newNodes = value;
        return this;
    }

    ASituation since(Duration ago) {
        since = NOW.minus(ago);
        return this;
    }

    ASituation trouble(Reason reason, Duration ago, String message) {
        return trouble(reason, NOW.minus(ago), message);
    }

    ASituation trouble(Reason reason, Instant since, String message) {
        troubles.add(new Situation.Trouble(
                reason, "MachineDeployment", subject.namespace(), subject.name(), message, since));
        return this;
    }

    ASituation profile(String name, String version, String operatingSystem, String provider) {
        profile = new Situation.Profile(name, version, operatingSystem, provider);
        return this;
    }

    ASituation config(String wanted, String published, String version, String settings, String content) {
        config = new Situation.Config("config", wanted, published, version, settings, content);
        return this;
    }

    ASituation noSecrets() {
        return provisioning(false, 0).bootstrap(false, 0, null).config("1", "", "", "", "");
    }

    ASituation provisioning(boolean present, long bytes) {
        provisioning = new Situation.Secret(present, "cloud-init-settings", provisioning.name(), bytes, null);
        return this;
    }

    ASituation bootstrap(boolean present, long bytes, @Nullable Long limit) {
        bootstrap = new Situation.Secret(present, "cloud-init-settings", bootstrap.name(), bytes, limit);
        return this;
    }

    ASituation tokenLeft(Duration left) {
        token = new Situation.Token(NOW.plus(left), false);
        return this;
    }

    ASituation noToken() {
        token = new Situation.Token(null, false);
        return this;
    }

    ASituation tokenDeleted(String name) {
        token = new Situation.Token(null, false, null, name);
        return this;
    }

    ASituation serviceAccount() {
        token = new Situation.Token(null, true);
        return this;
    }

    ASituation connection(String host, String version, int secondsAgo) {
        connection = new Situation.Connection(host, version, NOW.minusSeconds(secondsAgo), true);
        return this;
    }

    ASituation lost() {
        connection = new Situation.Connection(connection.host(), connection.version(), null, false);
        return this;
    }

    ASituation machines(int total, String... waiting) {
        machines = new Situation.MachinesSeen("", total, List.of(waiting));
        return this;
    }

    ASituation machinesUnread(String why) {
        machines = new Situation.MachinesSeen(why, 0, List.of());
        return this;
    }

    ASituation nobodyAskedForMachines() {
        machines = null;
        return this;
    }

    ASituation stale() {
        stale = true;
        return this;
    }

    Situation build() {
        return new Situation(
                subject,
                newNodes,
                since,
                troubles,
                profile,
                config,
                provisioning,
                bootstrap,
                token,
                connection,
                machines,
                NOW,
                stale);
    }
}

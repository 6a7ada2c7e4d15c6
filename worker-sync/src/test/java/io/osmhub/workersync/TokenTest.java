package io.osmhub.workersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.settings.TenantSettings.Bootstrap;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import io.osmhub.workersync.reconcile.MachineDeploymentState;
import io.osmhub.workersync.reconcile.MachineDeploymentViews.MachineDeploymentView;
import io.osmhub.workersync.watch.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes can join at any time, for days. */
final class TokenTest {
    private static final Duration LEAST = Duration.ofMinutes(20);
    /** Minutes. */
    private static final int SAMPLE = 5;

    private static final int HOURS = 72;

    private final SyncWorld world = new SyncWorld();

    /** Expirations of all tokens for a MachineDeployment's key. */
    private List<Instant> ends(String key) {
        return world.worker.all(Resource.SECRETS).stream()
                .filter(secret -> secret.at("/metadata/labels/machinedeployment.k8s.io~1name")
                        .asText()
                        .equals(key))
                .map(secret ->
                        Instant.parse(decoded(secret.at("/data/expiration").asText())))
                .toList();
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    /** The published kubeconfig's token exists and is valid long enough. */
    private void assertNodesCanJoin(String namespace, String name) {
        String kubeconfig = world.value(namespace + "-" + name + "-kubelet-bootstrap-config");
        assertThat(kubeconfig).isNotNull();
        Instant end = world.worker.all(Resource.SECRETS).stream()
                .filter(secret -> secret.at("/metadata/name").asText().startsWith("bootstrap-token-"))
                .filter(secret ->
                        kubeconfig.contains(decoded(secret.at("/data/token-id").asText()) + "."
                                + decoded(secret.at("/data/token-secret").asText())))
                .map(secret ->
                        Instant.parse(decoded(secret.at("/data/expiration").asText())))
                .findFirst()
                .orElse(Instant.EPOCH);
        assertThat(Duration.between(world.time.now(), end)).isGreaterThanOrEqualTo(LEAST);
    }

    @Test
    void lastForThreeIdleDaysWithAnOutageOfTheHub() {
        world.machineDeployment("kube-system", "workers");
        world.machineDeployment("kube-system", "others");
        world.start();
        Random random = new Random(7);
        int outage = 20 * 60 + SAMPLE * random.nextInt(12);

        for (int minute = 0; minute < HOURS * 60; minute += SAMPLE) {
            if (minute == outage) {
                world.kill();
            }
            if (minute == outage + 40) {
                world.start();
            }
            world.pass(Duration.ofMinutes(SAMPLE));
            assertNodesCanJoin("kube-system", "workers");
            assertNodesCanJoin("kube-system", "others");
        }

        assertThat(ends("kube-system-workers")).hasSizeBetween(1, 2);
    }

    @Test
    void lastForThreeBusyDaysWithAWorkerThatIsOftenAway() {
        world.machineDeployment("kube-system", "workers");
        world.start();
        Random random = new Random(3);

        int back = 0;
        for (int minute = 0; minute < HOURS * 60; minute += SAMPLE) {
            switch (random.nextInt(24)) {
                case 0 -> world.profile("v1.0." + minute, "line " + minute);
                case 1 -> world.annotate("kube-system", "workers", "example.com/x", "v" + minute);
                case 2 -> {
                    if (minute > back + 2 * SAMPLE) {
                        back = minute + SAMPLE * random.nextInt(1, 8);
                        world.worker.failEverything(SimulatedServer.status(503, "", "away"));
                    }
                }
                default -> {
                    // Only time passes.
                }
            }
            if (minute >= back) {
                world.worker.failEverything(null);
            }
            world.pass(Duration.ofMinutes(SAMPLE));
            assertNodesCanJoin("kube-system", "workers");
        }
    }

    @Test
    void areReplacedAfterAWeekWhileTheOldOneStillWorks() {
        world.machineDeployment("kube-system", "workers");
        world.start();
        String before = world.value("kube-system-workers-kubelet-bootstrap-config");

        for (int hour = 0; hour < 24 * 8; hour++) {
            world.pass(Duration.ofHours(1));
            assertNodesCanJoin("kube-system", "workers");
        }

        assertThat(world.value("kube-system-workers-kubelet-bootstrap-config")).isNotEqualTo(before);
        assertThat(world.events()).contains("BootstrapTokenReplaced");
    }

    @Test
    void areMadeAnewWhenSomebodyDeletesThem() {
        world.machineDeployment("kube-system", "workers");
        world.start();

        String deleted = deleteToken();
        world.time.settle();

        assertNodesCanJoin("kube-system", "workers");
        assertThat(problems()).isEmpty();
        assertThat(events("BootstrapTokenReplaced")).containsExactly(deleted + " was deleted");
    }

    /** Deletes the only one. */
    private String deleteToken() {
        List<String> names = names();
        assertThat(names).hasSize(1);
        world.worker.remove(Resource.SECRETS, "kube-system", names.getFirst());
        return names.getFirst();
    }

    private List<String> names() {
        return world.worker.all(Resource.SECRETS).stream()
                .map(secret -> secret.at("/metadata/name").asText())
                .filter(name -> name.startsWith("bootstrap-token-"))
                .toList();
    }

    /** Causes in Events with this reason. */
    private List<String> events(String reason) {
        return world.worker.all(Resource.EVENTS).stream()
                .filter(event -> event.path("reason").asText().equals(reason))
                .map(event -> event.path("note").asText())
                .map(note -> note.substring(note.indexOf("because ") + 8, note.indexOf(';')))
                .toList();
    }

    @Test
    void areNamedWhenTheyWereDeletedAndNoOtherMayBeMade() {
        world.machineDeployment("kube-system", "workers");
        world.start();
        world.pass(Duration.ofSeconds(30));
        world.worker.failWrites(SimulatedServer.status(403, "Forbidden", "User \"hub\" cannot create"));

        String deleted = deleteToken();
        world.pass(Duration.ofSeconds(5));

        assertThat(problems()).containsExactlyInAnyOrder(Reason.WriteForbidden, Reason.BootstrapTokenMissing);
        assertThat(message(Reason.BootstrapTokenMissing))
                .contains("Secret kube-system/" + deleted)
                .contains("WriteForbidden")
                .endsWith("apply the worker role: in worker cluster x7f: hub cluster rbac x7f -n cluster-x7f"
                        + " | kubectl apply -f -");
        assertThat(message(Reason.WriteForbidden)).contains("Secret kube-system/bootstrap-token-*:");
        MachineDeploymentView seen = closeUp();
        assertThat(seen.tokenDeleted()).isEqualTo(deleted);
        MachineDeploymentState state = Objects.requireNonNull(seen.state());
        assertThat(state.token()).isNull();
        assertThat(state.newNodes()).isEqualTo(NewNodes.BLOCKED);

        world.pass(Duration.ofMinutes(10));
        assertThat(message(Reason.BootstrapTokenMissing)).contains("Secret kube-system/" + deleted);

        world.worker.failWrites(null);
        world.pass(Duration.ofMinutes(6));
        assertThat(problems()).isEmpty();
        assertThat(closeUp().tokenDeleted()).isEmpty();
        assertNodesCanJoin("kube-system", "workers");
    }

    @Test
    void areNamedWhenTheyWereDeletedWhileNothingCanBeRendered() {
        world.machineDeployment("kube-system", "workers");
        world.start();
        world.pass(Duration.ofSeconds(30));
        world.noProfile(new Problem(
                Reason.ProfileNotFound,
                ProblemObject.of("MachineDeployment", "kube-system/workers"),
                "",
                "none",
                "make it"));
        world.time.settle();

        String deleted = deleteToken();
        world.time.settle();

        assertThat(problems()).containsExactlyInAnyOrder(Reason.ProfileNotFound, Reason.BootstrapTokenMissing);
        assertThat(message(Reason.BootstrapTokenMissing)).contains("Secret kube-system/" + deleted);
        assertThat(closeUp().tokenDeleted()).isEqualTo(deleted);

        world.noProfile(null);
        world.time.settle();
        assertThat(problems()).isEmpty();
        assertNodesCanJoin("kube-system", "workers");
    }

    /** Machines cannot join meanwhile, so it must not wait behind a full rollout. */
    @Test
    void areReplacedBeforeContentThatIsNotUrgent() {
        List<String> all = IntStream.range(0, 24).mapToObj(i -> "workers-" + i).toList();
        all.forEach(name -> world.machineDeployment("kube-system", name));
        world.start();
        world.writeBudget(2, 10);
        world.pass(Duration.ofSeconds(30));
        Map<String, String> before = bootstraps(all);
        world.profile("v2.0.0", "another");
        world.pass(Duration.ofSeconds(1));

        // Half of the waiting ones, so that the order of the rollout does not matter.
        List<String> waiting = unchanged(before);
        List<String> deleted = waiting.subList(0, waiting.size() / 2);
        deleted.forEach(name -> world.worker.remove(Resource.SECRETS, "kube-system", token(name)));
        while (unchanged(before).size() > waiting.size() / 2) {
            world.pass(Duration.ofSeconds(1));
        }

        assertThat(unchanged(before)).isNotEmpty().doesNotContainAnyElementsOf(deleted);
        deleted.forEach(name -> assertNodesCanJoin("kube-system", name));
    }

    private Map<String, String> bootstraps(List<String> names) {
        return names.stream()
                .collect(Collectors.toMap(
                        name -> name, name -> Objects.requireNonNull(world.bootstrap("kube-system", name))));
    }

    /** Those that the rollout has not reached. */
    private List<String> unchanged(Map<String, String> before) {
        return before.keySet().stream()
                .filter(name -> Objects.equals(before.get(name), world.bootstrap("kube-system", name)))
                .sorted()
                .toList();
    }

    private String token(String machineDeployment) {
        return names().stream()
                .filter(name -> Objects.requireNonNull(world.worker.object(Resource.SECRETS, "kube-system", name))
                        .at("/metadata/labels/machinedeployment.k8s.io~1name")
                        .asText()
                        .equals("kube-system-" + machineDeployment))
                .findFirst()
                .orElseThrow();
    }

    private MachineDeploymentView closeUp() {
        return Objects.requireNonNull(
                world.hub().machineDeploymentViews().find(new ObjectKey("kube-system", "workers")));
    }

    private String message(Reason reason) {
        return world.hub().status().machineDeployments().getFirst().problems().stream()
                .filter(problem -> problem.reason() == reason)
                .map(Problem::message)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void sayWhenTheyCannotBeExtended() {
        world.machineDeployment("kube-system", "workers");
        world.start();
        world.pass(Duration.ofSeconds(30));
        world.worker.failWrites(SimulatedServer.status(403, "Forbidden", "User \"hub\" cannot patch"));

        world.pass(Duration.ofMinutes(105));
        assertThat(problems()).contains(Reason.BootstrapTokenExpiring);
        world.pass(Duration.ofMinutes(20));
        assertThat(problems()).contains(Reason.BootstrapTokenExpired);

        world.worker.failWrites(null);
        world.pass(Duration.ofMinutes(6));
        assertThat(problems()).isEmpty();
        assertNodesCanJoin("kube-system", "workers");
    }

    @Test
    void sayWhenTheyRunOutDuringAPause() {
        world.machineDeployment("kube-system", "workers");
        world.start();
        world.paused(true);
        world.pass(Duration.ofMinutes(90));
        assertThat(problems()).isEmpty();

        world.pass(Duration.ofMinutes(12));
        assertThat(problems()).contains(Reason.BootstrapTokenExpiring);
        world.pass(Duration.ofMinutes(20));
        assertThat(problems()).contains(Reason.BootstrapTokenExpired);

        world.paused(false);
        world.time.settle();
        assertThat(problems()).isEmpty();
        assertNodesCanJoin("kube-system", "workers");
    }

    private List<Reason> problems() {
        return world.hub().status().machineDeployments().getFirst().problems().stream()
                .map(Problem::reason)
                .toList();
    }

    @Test
    void ofAServiceAccountAreUsedInTheirPlace() {
        world.settings(withServiceAccount(world.settings(), new ServiceAccountName("kube-system", "joiner")));
        world.machineDeployment("kube-system", "workers");
        world.start();
        assertThat(problems()).containsExactly(Reason.ServiceAccountTokenMissing);

        world.worker.put(
                Resource.SERVICE_ACCOUNTS,
                "{\"metadata\":{\"namespace\":\"kube-system\",\"name\":\"joiner\"}}",
                "kubectl");
        world.worker.put(
                Resource.SECRETS,
                SimulatedServer.parse(SyncWorld.secret("kube-system", "joiner-token", Map.of("token", "sa-token-1")))
                        .put("type", "kubernetes.io/service-account-token")
                        .toString()
                        .replace(
                                "\"name\":\"joiner-token\"",
                                "\"name\":\"joiner-token\",\"annotations\":{\"kubernetes.io/service-account.name\":\"joiner\"}"),
                "kube-controller-manager");
        world.time.settle();

        assertThat(problems()).isEmpty();
        assertThat(world.value("kube-system-workers-kubelet-bootstrap-config")).contains("sa-token-1");
        assertThat(ends("kube-system-workers")).isEmpty();
    }

    /** Lists that are no longer needed neither block nor cause problems. */
    @Test
    void ofAServiceAccountThatCannotBeReadAreForgottenWithTheSetting() {
        TenantSettings usual = world.settings();
        world.worker.faults((request, number) ->
                request.resource() == Resource.SERVICE_ACCOUNTS ? SimulatedServer.Fault.REFUSED : null);
        world.settings(withServiceAccount(usual, new ServiceAccountName("kube-system", "joiner")));
        world.machineDeployment("kube-system", "workers");
        world.start();
        assertThat(world.hub().status().phase()).isEqualTo(SyncStatus.Phase.LISTING);
        assertThat(world.failures).isNotEmpty();

        world.settings(usual);
        world.time.settle();

        assertThat(world.failures).isEmpty();
        assertThat(world.hub().status().phase()).isEqualTo(SyncStatus.Phase.WORKING);
        assertNodesCanJoin("kube-system", "workers");
    }

    /** Three lists are Secrets: a working one shows nothing about the others. */
    @Test
    void ofAServiceAccountThatMayNotBeListedStayATroubleWhileOtherSecretsAreRead() {
        world.worker.faults((request, number) -> {
            boolean tokens = request.resource() == Resource.SECRETS
                    && request.verb() == Verb.LIST
                    && request.uri().contains("service-account-token");
            return tokens ? SimulatedServer.Fault.REFUSED : null;
        });
        world.settings(withServiceAccount(world.settings(), new ServiceAccountName("kube-system", "joiner")));
        world.start();
        assertThat(world.failures).isNotEmpty();
        List<Boolean> told = new ArrayList<>();
        world.time.afterEachTask(() -> told.add(!world.failures.isEmpty()));

        world.worker.breakWatches(SimulatedServer.status(503, "ServiceUnavailable", "restarting"));
        world.pass(Duration.ofSeconds(10));

        assertThat(told).isNotEmpty().doesNotContain(false);
    }

    private static TenantSettings withServiceAccount(TenantSettings settings, ServiceAccountName account) {
        Provisioning old = settings.provisioning();
        Bootstrap bootstrap = old.bootstrap();
        return new TenantSettings(
                new Provisioning(
                        old.clusterDns(),
                        old.externalCloudProvider(),
                        old.kubelet(),
                        old.containerRuntime(),
                        old.registries(),
                        old.proxy(),
                        old.kubernetesCa(),
                        old.hostCa(),
                        new Bootstrap(bootstrap.apiServerUrl(), account, bootstrap.tokenTtl(), bootstrap.nodeFetch()),
                        old.cloudCredentialsSecret(),
                        old.downloads(),
                        old.airGapped(),
                        old.userDataLimitBytes()),
                settings.profiles(),
                settings.connection(),
                settings.admission());
    }
}

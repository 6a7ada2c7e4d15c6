package io.osmhub.workersync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.reconcile.MachineDeploymentState;
import io.osmhub.workersync.reconcile.TenantRemoval.CleanupResult;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class WorkerSyncTest {
    private static final String BOOTSTRAP = "workers-kube-system-bootstrap-config";
    private static final String PROVISIONING = "workers-kube-system-provisioning-config";

    private final SyncWorld world = new SyncWorld();

    private void published() {
        world.machineDeployment("kube-system", "workers");
        world.start();
        assertThat(world.bootstrap("kube-system", "workers")).isNotNull();
        world.pass(Duration.ofSeconds(20));
        world.forgetRequests();
    }

    private MachineDeploymentState state() {
        List<MachineDeploymentState> states = world.hub().status().machineDeployments();
        assertThat(states).hasSize(1);
        return states.getFirst();
    }

    private List<Reason> problems() {
        return state().problems().stream().map(Problem::reason).toList();
    }

    @Test
    void publishesANewMachineDeploymentWithSixRequests() {
        world.start();
        world.pass(Duration.ofSeconds(20));
        world.forgetRequests();

        world.machineDeployment("kube-system", "workers");
        world.time.settle();

        assertThat(world.bootstrap("kube-system", "workers")).contains("/opt/bin/bootstrap");
        assertThat(world.provisioning("kube-system", "workers")).contains("/etc/kubernetes/bootstrap-kubelet.conf");
        assertThat(world.value("kube-system-workers-kubelet-bootstrap-config")).contains("https://api.example:6443");
        assertThat(world.configs.find("workers-kube-system-config")).isNotNull();
        assertThat(world.requests()).isEqualTo(6);
        assertThat(world.worker.count(Verb.GET)).isZero();
        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);
        assertThat(world.events()).isEmpty();
    }

    @Test
    void tellsTheStatusOnceAndNotAgainWhileNothingChanges() {
        published();
        OperatingSystemConfigStatus status = Objects.requireNonNull(world.configs.status("workers-kube-system-config"));
        int offers = world.configs.offers();

        world.pass(Duration.ofHours(3));

        assertThat(status.newNodes()).isEqualTo(NewNodes.CURRENT);
        assertThat(Objects.requireNonNull(status.conditions()))
                .allMatch(condition -> condition.status() == Condition.Status.TRUE);
        assertThat(world.configs.offers()).isEqualTo(offers);
    }

    @Test
    void newNodesAreAtRiskWhileTheConnectionIsLost() {
        published();

        world.hub().suspend();
        world.pass(Duration.ofSeconds(9));
        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);
        world.pass(Duration.ofSeconds(2));
        assertThat(state().newNodes()).isEqualTo(NewNodes.AT_RISK);
        assertThat(Objects.requireNonNull(world.configs.status("workers-kube-system-config"))
                        .newNodes())
                .isEqualTo(NewNodes.AT_RISK);

        world.hub().start(world.worker.api());
        world.time.settle();
        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);
        assertThat(Objects.requireNonNull(world.configs.status("workers-kube-system-config"))
                        .newNodes())
                .isEqualTo(NewNodes.CURRENT);
        assertThat(world.requests() - world.worker.count(Verb.WATCH)).isZero();
    }

    @Test
    void reportsReadyNodesWithoutARun() {
        published();
        ObjectKey key = new ObjectKey("kube-system", "workers");
        assertThat(world.hub().status().replicas().get(key)).isEqualTo(new Replicas(1, 0, false));
        int runs = world.results.size();

        ObjectNode scaled =
                world.machineDeploymentJson("kube-system", "workers").deepCopy();
        scaled.withObjectProperty("spec").put("replicas", 3);
        scaled.putObject("status").put("readyReplicas", 2).put("observedGeneration", 9);
        world.worker.put(Resource.MACHINE_DEPLOYMENTS, scaled.toString(), "machine-controller");
        world.pass(Duration.ofSeconds(1));

        assertThat(world.hub().status().replicas().get(key)).isEqualTo(new Replicas(3, 2, true));
        assertThat(world.results).hasSize(runs);
    }

    @Test
    void marksWhatItWrites() {
        published();

        ObjectNode secret =
                Objects.requireNonNull(world.worker.object(Resource.SECRETS, SyncWorld.SETTINGS, BOOTSTRAP));

        assertThat(secret.at("/metadata/labels/app.kubernetes.io~1managed-by").asText())
                .isEqualTo("osm-hub");
        assertThat(world.annotation(BOOTSTRAP, "osmhub.io/machine-deployment")).isEqualTo("kube-system/workers");
        assertThat(world.annotation(BOOTSTRAP, "osmhub.io/tenant")).isEqualTo("cluster-x7f/x7f");
        assertThat(world.annotation(BOOTSTRAP, "osmhub.io/hub-id")).isEqualTo("hub-1");
        assertThat(world.machineDeploymentJson("kube-system", "workers")
                        .at("/metadata/finalizers/0")
                        .asText())
                .isEqualTo("kubermatic.io/cleanup-operating-system-configs");
    }

    @Test
    void asksForNothingInAnIdleHourButTokensAndWatches() {
        published();

        world.pass(Duration.ofHours(1));

        assertThat(world.worker.count(Verb.GET)).isZero();
        assertThat(world.worker.count(Verb.LIST)).isZero();
        assertThat(world.worker.count(Verb.WATCH)).isBetween(4L, 12L);
        assertThat(world.worker.requests().stream()
                        .filter(request -> request.verb().writes()))
                .allMatch(request -> request.namespace().equals("kube-system") && request.verb() == Verb.PATCH)
                .hasSizeBetween(1, 2);
        assertThat(world.management.requests()).isEmpty();
    }

    @Test
    void writesNothingForACosmeticAnnotation() {
        published();

        world.annotate("kube-system", "workers", "example.com/note", "hello");
        world.pass(Duration.ofSeconds(5));

        assertThat(world.requests()).isZero();
    }

    @Test
    void stampsTheBootstrapSecretAloneForANewRevisionOfTheSameBytes() {
        published();

        world.annotate("kube-system", "workers", "machinedeployment.clusters.k8s.io/revision", "2");
        world.time.settle();

        assertThat(world.requests()).isEqualTo(1);
        assertThat(world.annotation(BOOTSTRAP, "k8c.io/machine-deployment-revision"))
                .isEqualTo("2");
        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);
    }

    @Test
    void updatesInPlaceWhenTheProfileChanges() {
        published();
        String uid = uid(BOOTSTRAP);

        world.profile("v1.1.0", "new line");
        world.time.settle();

        assertThat(world.bootstrap("kube-system", "workers")).isNotNull();
        assertThat(uid(BOOTSTRAP)).isEqualTo(uid);
        assertThat(world.annotation(PROVISIONING, "k8c.io/osp-version")).isEqualTo("v1.1.0");
        assertThat(world.events()).containsExactly("ConfigRotated");
        assertThat(world.worker.count(Verb.GET)).isZero();
    }

    private String uid(String secret) {
        return Objects.requireNonNull(world.worker.object(Resource.SECRETS, SyncWorld.SETTINGS, secret))
                .at("/metadata/uid")
                .asText();
    }

    @Test
    void followsTheAddressOfTheApiServer() {
        published();

        world.worker.put(Resource.CONFIG_MAPS, SyncWorld.clusterInfo("https://other.example:443"), "kubeadm");
        world.time.settle();

        assertThat(world.value("kube-system-workers-kubelet-bootstrap-config")).contains("https://other.example:443");
    }

    private long requestsForSlices() {
        return world.worker.requests().stream()
                .filter(request -> request.resource() == Resource.ENDPOINT_SLICES)
                .count();
    }

    private void slice() {
        world.worker.put(Resource.ENDPOINT_SLICES, """
                {"metadata": {"namespace": "default", "name": "kubernetes",
                              "labels": {"kubernetes.io/service-name": "kubernetes"}},
                 "addressType": "IPv4", "ports": [{"name": "https", "port": 6443}],
                 "endpoints": [{"addresses": ["192.0.2.7"], "conditions": {"ready": true}}]}
                """, "kube-apiserver");
    }

    @Test
    void servesAnApiServerWithoutEndpointSlices() {
        world.worker.withdraw(Resource.ENDPOINT_SLICES, true);
        world.worker.remove(Resource.CONFIG_MAPS, "kube-public", "cluster-info");
        world.machineDeployment("kube-system", "workers");
        world.start();
        assertThat(problems()).containsExactly(Reason.APIServerEndpointMissing);
        assertThat(world.failures).isEmpty();

        world.worker.put(Resource.CONFIG_MAPS, SyncWorld.clusterInfo("https://api.example:6443"), "kubeadm");
        world.time.settle();

        assertThat(world.bootstrap("kube-system", "workers")).isNotNull();
    }

    @Test
    void reportsNoTroubleWhenAnOptionalKindFailsOnceAndIsNotServedThen() {
        world.worker.remove(Resource.CONFIG_MAPS, "kube-public", "cluster-info");
        world.worker.faults((request, number) -> {
            if (request.resource() != Resource.ENDPOINT_SLICES) {
                return null;
            }
            world.worker.withdraw(Resource.ENDPOINT_SLICES, true);
            return SimulatedServer.Fault.REFUSED;
        });
        world.start();
        assertThat(world.failures).hasSize(1);

        world.pass(Duration.ofSeconds(2));

        assertThat(world.failures).isEmpty();
        assertThat(world.hub().status().phase()).isEqualTo(SyncStatus.Phase.WORKING);
    }

    @Test
    void asksForEndpointSlicesOnlyWithoutClusterInfo() {
        slice();
        world.machineDeployment("kube-system", "workers");
        world.start();
        assertThat(world.bootstrap("kube-system", "workers")).isNotNull();
        assertThat(requestsForSlices()).isZero();

        world.worker.remove(Resource.CONFIG_MAPS, "kube-public", "cluster-info");
        world.time.settle();
        assertThat(world.value("kube-system-workers-kubelet-bootstrap-config")).contains("https://192.0.2.7:6443");

        world.worker.put(Resource.CONFIG_MAPS, SyncWorld.clusterInfo("https://api.example:6443"), "kubeadm");
        world.time.settle();
        world.forgetRequests();
        world.pass(Duration.ofHours(2));

        assertThat(world.value("kube-system-workers-kubelet-bootstrap-config")).contains("https://api.example:6443");
        assertThat(requestsForSlices()).isZero();
    }

    @Test
    void followsTheFetchToken() {
        published();
        String before = world.bootstrap("kube-system", "workers");

        world.worker.put(
                Resource.SECRETS,
                SyncWorld.secret(SyncWorld.SETTINGS, "cloud-init-getter-token", Map.of("token", "fetch-2")),
                "kube-controller-manager");
        world.time.settle();

        assertThat(world.bootstrap("kube-system", "workers")).isNotEqualTo(before);
    }

    @Test
    void restoresASecretThatSomebodyDeletes() {
        published();
        String before = world.bootstrap("kube-system", "workers");

        world.worker.remove(Resource.SECRETS, SyncWorld.SETTINGS, BOOTSTRAP);
        world.time.settle();

        assertThat(world.bootstrap("kube-system", "workers")).isEqualTo(before);
        assertThat(world.events()).containsExactly("DriftRepaired");
    }

    @Test
    void restoresASecretThatSomebodyEditsAndNamesThem() {
        published();
        String before = world.provisioning("kube-system", "workers");

        world.worker.put(
                Resource.SECRETS,
                Objects.requireNonNull(world.worker.object(Resource.SECRETS, SyncWorld.SETTINGS, PROVISIONING))
                        .deepCopy()
                        .put("x", 1)
                        .toString()
                        .replaceFirst("\"cloud-config\":\"[^\"]*\"", "\"cloud-config\":\"aGVsbG8=\""),
                "kubectl-edit");
        world.time.settle();

        assertThat(world.provisioning("kube-system", "workers")).isEqualTo(before);
        assertThat(world.worker.all(Resource.EVENTS))
                .anyMatch(event -> event.path("note").asText().contains("kubectl-edit"));
    }

    @Test
    void slowsDownWhenSomebodyUndoesItsWorkAgainAndAgain() {
        published();
        world.time.afterEachTask(() -> world.worker.remove(Resource.SECRETS, SyncWorld.SETTINGS, PROVISIONING));

        world.pass(Duration.ofMinutes(9));

        assertThat(world.worker.count(Verb.CREATE)).isLessThan(40);
        assertThat(problems()).contains(Reason.DriftLoop);
        world.time.afterEachTask(() -> {});
        world.pass(Duration.ofMinutes(16));
        assertThat(world.provisioning("kube-system", "workers")).isNotNull();
        assertThat(problems()).doesNotContain(Reason.DriftLoop);
    }

    @Test
    void deletesEverythingWithTheMachineDeployment() {
        published();

        world.worker.remove(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers");
        world.pass(Duration.ofSeconds(1));

        assertThat(world.worker.all(Resource.MACHINE_DEPLOYMENTS)).isEmpty();
        assertThat(world.worker.all(Resource.SECRETS)).hasSize(1);
        assertThat(world.configs.all()).isEmpty();
        assertThat(world.hub().status().machineDeployments()).isEmpty();
        world.pass(Duration.ofMinutes(1));
        assertThat(world.worker.count(Verb.GET)).isZero();
    }

    @Test
    void deletesWhatIsLeftOfAMachineDeploymentThatVanished() {
        published();
        world.hub().suspend();
        world.worker.put(
                Resource.MACHINE_DEPLOYMENTS,
                SyncWorld.json("kube-system", "workers", "osp-ubuntu", "1").toString(),
                "somebody");
        world.worker.remove(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers");

        world.hub().start(world.worker.api());
        world.pass(Duration.ofSeconds(30));

        assertThat(world.worker.all(Resource.SECRETS)).hasSize(1);
        assertThat(world.configs.all()).isEmpty();
        assertThat(world.managementEvents).contains(Reason.LeftoversRemoved);
    }

    @Test
    void leavesAMachineDeploymentWithoutAProfileAlone() {
        world.worker.put(
                Resource.MACHINE_DEPLOYMENTS,
                SyncWorld.json("default", "plain", "", "1").toString(),
                "kubectl");
        world.start();

        assertThat(world.worker.writes()).isZero();
        assertThat(world.hub().status().machineDeployments()).isEmpty();
    }

    @Test
    void keepsWhatIsPublishedWhileTheProfileIsMissing() {
        published();
        String before = world.bootstrap("kube-system", "workers");

        world.noProfile(new Problem(
                Reason.ProfileNotFound,
                ProblemObject.of("MachineDeployment", "kube-system/workers"),
                "annotation x",
                "no osp-ubuntu",
                "create it"));
        world.time.settle();

        assertThat(world.bootstrap("kube-system", "workers")).isEqualTo(before);
        assertThat(problems()).containsExactly(Reason.ProfileNotFound);
        assertThat(state().newNodes()).isEqualTo(NewNodes.OUTDATED);
        assertThat(world.events()).contains("ProfileNotFound");
        world.noProfile(null);
        world.time.settle();
        assertThat(problems()).isEmpty();
        assertThat(world.events()).contains("ProblemResolved");
    }

    /** A retry would render the same again; the next version of the profile starts a run. */
    @Test
    void aMistakeInASharedProfileIsTheOperatorsAndInAnOwnOneTheTenantsAndNeitherIsRetried() {
        published();

        world.profile("v1.1.0", "{{ .NoSuchValue }}");
        world.time.settle();
        assertThat(state().problems()).singleElement().satisfies(problem -> assertThat(problem.actor())
                .isEqualTo(Actor.OPERATOR));
        assertThat(world.results).doesNotContain(Result.TENANT_MISTAKE);

        world.noProfile(new Problem(
                Reason.TemplateExecutionFailed,
                ProblemObject.of("OperatingSystemProfile", SyncWorld.TENANT + "/osp-ubuntu"),
                "spec.bootstrapConfig.files[0]",
                "no such value",
                ""));
        world.time.settle();
        assertThat(state().problems()).singleElement().satisfies(problem -> assertThat(problem.actor())
                .isEqualTo(Actor.TENANT));
        assertThat(world.results).endsWith(Result.TENANT_MISTAKE);
        assertThat(world.retries).isEmpty();
    }

    @Test
    void nodesGetTheCertificateAuthorityOfClusterInfoWhereNothingElseNamesOneAndNothingWithoutAny() throws IOException {
        String authority = pem("ca-one");
        world.nodesCa("");
        world.worker.put(Resource.CONFIG_MAPS, SyncWorld.clusterInfo("https://api.example:6443", authority), "kubeadm");
        world.machineDeployment("kube-system", "workers");
        world.start();
        assertThat(problems()).isEmpty();
        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);

        world.worker.put(Resource.CONFIG_MAPS, SyncWorld.clusterInfo("https://api.example:6443", ""), "kubeadm");
        world.time.settle();

        assertThat(problems()).containsExactly(Reason.CertificateAuthorityMissing);
        assertThat(state().problems().getFirst().message())
                .isEqualTo(
                        "cluster-x7f: WorkerCluster x7f: no CA certificate for nodes; set spec.provisioning.kubernetesCA,"
                                + " or put certificate-authority-data into cluster-info:"
                                + " kubectl -n cluster-x7f edit workercluster x7f");
    }

    @Test
    void saysThatNodesJoinWithAnotherCertificateAuthorityThanTheyGet() throws IOException {
        String one = pem("ca-one");
        String two = pem("ca-two");
        world.nodesCa(two);
        world.worker.put(Resource.CONFIG_MAPS, SyncWorld.clusterInfo("https://api.example:6443", one), "kubeadm");
        world.machineDeployment("kube-system", "workers");
        world.start();

        assertThat(world.hub().status().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).isEqualTo(Reason.CertificateAuthorityMismatch);
            assertThat(problem.message())
                    .containsPattern("cluster-info \\(sha256:[0-9a-f]{16}\\) but get sha256:[0-9a-f]{16} as ca.crt");
        });
        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);

        world.nodesCa(two + one);
        world.time.settle();
        assertThat(world.hub().status().problems()).isEmpty();
    }

    private static String pem(String name) throws IOException {
        try (InputStream file = Objects.requireNonNull(WorkerSyncTest.class.getResourceAsStream(name + ".pem"))) {
            return new String(file.readAllBytes(), UTF_8);
        }
    }

    @Test
    void saysThatTheFetchTokenIsMissing() {
        world.worker.remove(Resource.SECRETS, SyncWorld.SETTINGS, "cloud-init-getter-token");
        world.machineDeployment("kube-system", "workers");
        world.start();

        assertThat(problems()).containsExactly(Reason.GetterTokenMissing);
        assertThat(state().newNodes()).isEqualTo(NewNodes.BLOCKED);
        world.worker.put(
                Resource.SECRETS,
                SyncWorld.secret(SyncWorld.SETTINGS, "cloud-init-getter-token", Map.of("token", "fetch-1")),
                "kube-controller-manager");
        world.time.settle();
        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);
    }

    @Test
    void writesNothingWhileThePauseLasts() {
        published();

        world.paused(true);
        world.profile("v1.1.0", "new line");
        world.pass(Duration.ofMinutes(5));

        assertThat(world.worker.writes()).isZero();
        assertThat(state().newNodes()).isNotEqualTo(NewNodes.CURRENT);
        world.paused(false);
        world.time.settle();
        assertThat(world.annotation(BOOTSTRAP, "k8c.io/osp-version")).isEqualTo("v1.1.0");
        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);
    }

    @Test
    void publishesOnlyOneOfTwoThatCollideAndTheOtherOnceItMay() {
        world.machineDeployment("c", "a-b");
        world.pass(Duration.ofSeconds(2));
        world.machineDeployment("b-c", "a");
        world.start();

        assertThat(world.bootstrap("c", "a-b")).isNotNull();
        assertThat(world.hub().status().machineDeployments())
                .filteredOn(state -> !state.problems().isEmpty())
                .extracting(state -> state.key().toString())
                .containsExactly("b-c/a");

        world.worker.remove(Resource.MACHINE_DEPLOYMENTS, "c", "a-b");
        world.pass(Duration.ofSeconds(30));

        assertThat(world.annotation("a-b-c-bootstrap-config", "osmhub.io/machine-deployment"))
                .isEqualTo("b-c/a");
        assertThat(world.hub().status().machineDeployments())
                .allMatch(state -> state.problems().isEmpty());
    }

    @Test
    void triesAgainWhenTheServerIsOverloaded() {
        world.start();
        world.worker.faults((request, number) -> {
            return null;
        });
        world.pass(Duration.ofSeconds(10));
        world.worker.failEverything(SimulatedServer.status(503, "ServiceUnavailable", "overloaded"));
        world.time.settle();
        world.worker.failEverything(null);
        world.machineDeployment("kube-system", "workers");

        world.pass(Duration.ofMinutes(2));

        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);
    }

    @Test
    void saysWhoMayNotWrite() {
        published();
        world.worker.failWrites(SimulatedServer.status(
                403, "Forbidden", "secrets is forbidden: User \"hub\" cannot patch resource \"secrets\""));

        world.profile("v1.1.0", "new line");
        world.time.settle();

        assertThat(state().problems()).hasSize(1);
        assertThat(state().problems().getFirst().reason()).isEqualTo(Reason.WriteForbidden);
        assertThat(state().problems().getFirst().message())
                .contains("hub may not patch secrets in cloud-init-settings")
                .contains("hub cluster rbac x7f -n cluster-x7f");
        assertThat(state().newNodes()).isEqualTo(NewNodes.OUTDATED);
        world.worker.failWrites(null);
        world.pass(Duration.ofMinutes(6));
        assertThat(state().problems()).isEmpty();
    }

    @Test
    void showsACauseThatMayPassOnlyWhenItLasts() {
        published();
        world.worker.failWrites(SimulatedServer.status(500, "InternalError", "etcdserver: request timed out"));

        world.profile("v1.1.0", "new line");
        world.time.settle();
        assertThat(problems()).isEmpty();
        world.pass(Duration.ofSeconds(3));

        assertThat(problems()).containsExactly(Reason.PublishRetrying);
        world.worker.failWrites(null);
        world.pass(Duration.ofSeconds(40));
        assertThat(problems()).isEmpty();
    }

    @Test
    void goesOnWithARotatedCredentialWithoutListingOrWriting() {
        published();

        world.hub().start(world.worker.api());
        world.pass(Duration.ofSeconds(1));

        assertThat(world.worker.count(Verb.LIST)).isZero();
        assertThat(world.worker.writes()).isZero();
        assertThat(world.worker.watches()).isEqualTo(4);
    }

    @Test
    void tellsItsOwnerWhenTheCredentialIsRefused() {
        published();

        world.worker.failEverything(SimulatedServer.status(401, "Unauthorized", "Unauthorized"));
        world.pass(Duration.ofSeconds(1));

        assertThat(world.failures).anyMatch(ApiFailure::isUnauthorized);
        world.forgetRequests();
        world.pass(Duration.ofMinutes(30));
        assertThat(world.requests()).isLessThan(100);
    }

    @Test
    void saysThatMachineControllerIsNotInstalled() {
        world.worker.withdraw(Resource.MACHINE_DEPLOYMENTS, true);
        world.start();

        assertThat(world.hub().status().problems())
                .extracting(Problem::reason)
                .containsExactly(Reason.MachineDeploymentAPIMissing);
        world.worker.withdraw(Resource.MACHINE_DEPLOYMENTS, false);
        world.machineDeployment("kube-system", "workers");
        world.pass(Duration.ofSeconds(6));
        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);
        assertThat(world.hub().status().problems()).isEmpty();
    }

    @Test
    void writesNothingAfterARestart() {
        published();
        world.kill();
        world.forgetRequests();

        world.start();
        world.pass(Duration.ofSeconds(30));

        assertThat(world.worker.writes()).isZero();
        assertThat(world.management.writes()).isZero();
        assertThat(world.hub().status().phase()).isEqualTo(SyncStatus.Phase.WORKING);
    }

    @Test
    void removalTakesEverythingAway() {
        published();

        CompletableFuture<CleanupResult> removal = world.hub().startRemoval(true, Duration.ofMinutes(2));
        world.time.settle();

        assertThat(removal).isCompletedWithValue(new CleanupResult(true, 0, 0, ""));
        assertThat(world.worker.all(Resource.SECRETS)).hasSize(1);
        assertThat(world.configs.all()).isEmpty();
        assertThat(world.machineDeploymentJson("kube-system", "workers").at("/metadata/finalizers"))
                .isEmpty();
        world.hub().stop();
        world.pass(Duration.ofHours(1));
        assertThat(world.worker.all(Resource.SECRETS)).hasSize(1);
    }

    /** The run has collected its facts when the removal starts, so it continues to write. */
    @Test
    void removalTakesAwayWhatARunUnderWayStillWrites() {
        world.start();
        world.pass(Duration.ofSeconds(20));
        List<CompletableFuture<CleanupResult>> removal = new ArrayList<>();
        world.worker.faults((request, number) -> {
            if (removal.isEmpty() && request.verb().writes()) {
                removal.add(world.hub().startRemoval(true, Duration.ofMinutes(2)));
            }
            return null;
        });

        world.machineDeployment("kube-system", "workers");
        world.time.settle();

        assertThat(removal).hasSize(1);
        assertThat(removal.getFirst()).isCompletedWithValue(new CleanupResult(true, 0, 0, ""));
        assertThat(world.worker.all(Resource.SECRETS)).hasSize(1);
        assertThat(world.machineDeploymentJson("kube-system", "workers").at("/metadata/finalizers"))
                .isEmpty();
    }

    @Test
    void removalRightAfterARestartWaitsForTheLists() {
        published();
        world.kill();
        WorkerSync hub = world.create();

        CompletableFuture<CleanupResult> removal = hub.startRemoval(true, Duration.ofMinutes(2));
        hub.start(world.worker.api());
        world.time.settle();

        assertThat(removal).isCompletedWithValue(new CleanupResult(true, 0, 0, ""));
        assertThat(world.worker.all(Resource.SECRETS)).hasSize(1);
    }

    @Test
    void newNodesAreAtRiskWhileTheCredentialIsNotGood() {
        published();

        world.hub().setCredentialsValid(false);
        world.time.settle();
        assertThat(state().newNodes()).isEqualTo(NewNodes.AT_RISK);

        world.hub().setCredentialsValid(true);
        world.time.settle();
        assertThat(state().newNodes()).isEqualTo(NewNodes.CURRENT);
    }

    @Test
    void removalThatHandsOverKeepsTheObjects() {
        published();

        CompletableFuture<CleanupResult> removal = world.hub().startRemoval(false, Duration.ofMinutes(2));
        world.time.settle();

        assertThat(removal).isCompletedWithValue(new CleanupResult(true, 0, 0, ""));
        assertThat(world.bootstrap("kube-system", "workers")).isNotNull();
        assertThat(world.machineDeploymentJson("kube-system", "workers").at("/metadata/finalizers"))
                .isEmpty();
    }

    @Test
    void removalOfADeadWorkerEnds() {
        published();
        world.worker.failEverything(
                ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "connection refused"));
        world.hub().suspend();

        CompletableFuture<CleanupResult> removal = world.hub().startRemoval(true, Duration.ofMinutes(2));
        world.pass(Duration.ofSeconds(119));
        assertThat(removal).isNotDone();
        world.pass(Duration.ofSeconds(2));

        assertThat(removal).isCompleted();
        assertThat(removal.join().complete()).isFalse();
        assertThat(removal.join().finalizers()).isEqualTo(1);
        assertThat(removal.join().secrets()).isEqualTo(4);
    }

    @Test
    void tellsAndCleansUpAMachineDeploymentThatCannotBeRead() {
        published();
        ObjectNode odd = world.machineDeploymentJson("kube-system", "workers").deepCopy();
        ((ObjectNode) odd.at("/spec/template/spec")).putObject("versions").put("kubelet", 134);
        world.worker.put(Resource.MACHINE_DEPLOYMENTS, odd.toString(), "kubectl");
        world.time.settle();

        assertThat(state().newNodes()).isEqualTo(NewNodes.OUTDATED);
        assertThat(problems()).hasSize(1);
        world.worker.remove(Resource.MACHINE_DEPLOYMENTS, "kube-system", "workers");
        world.pass(Duration.ofSeconds(1));

        assertThat(world.worker.all(Resource.SECRETS)).hasSize(1);
    }

    @Test
    void waitsForItsWriteBudget() {
        world.writeBudget(1, 12);
        for (int i = 0; i < 10; i++) {
            world.machineDeployment("kube-system", "workers-" + i);
        }
        world.start();

        assertThat(world.worker.writes()).isBetween(10L, 20L);
        assertThat(world.hub().status().newNodes().get(NewNodes.PENDING)).isGreaterThan(5);
        world.pass(Duration.ofSeconds(70));
        assertThat(world.hub().status().newNodes().get(NewNodes.CURRENT)).isEqualTo(10);
    }

    @Test
    void rendersOnceMoreForEachThatWaitsForTheWriteBudget() {
        for (int i = 0; i < 60; i++) {
            world.machineDeployment("kube-system", "workers-" + i);
        }
        world.start();
        assertThat(world.hub().status().newNodes().get(NewNodes.CURRENT)).isEqualTo(60);
        world.writeBudget(10, 10);
        world.time.settle();
        int before = world.renderings();

        world.profile("v1.1.0", "new line");
        world.time.settle();
        world.machineDeployment("kube-system", "new");
        world.pass(Duration.ofSeconds(3));
        assertThat(world.hub().status().newNodes().get(NewNodes.PENDING)).isGreaterThan(30);
        assertThat(world.hub().status().machineDeployments())
                .filteredOn(state -> state.key().name().equals("new"))
                .singleElement()
                .satisfies(state -> assertThat(state.newNodes()).isEqualTo(NewNodes.CURRENT));
        world.pass(Duration.ofSeconds(40));

        assertThat(world.hub().status().newNodes().get(NewNodes.CURRENT)).isEqualTo(61);
        assertThat(world.renderings() - before).isLessThan(61 * 4);
    }

    @Test
    void saysThatChangesHaveWaitedForLongForTheWriteBudget() {
        for (int i = 0; i < 60; i++) {
            world.machineDeployment("kube-system", "workers-" + i);
        }
        world.start();
        world.writeBudget(1, 10);
        world.profile("v1.1.0", "new line");
        world.pass(Duration.ofSeconds(59));
        assertThat(world.hub().status().problems()).isEmpty();

        world.pass(Duration.ofSeconds(10));

        assertThat(world.hub().status().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).isEqualTo(Reason.SyncBacklog);
            assertThat(problem.message())
                    .contains("MachineDeployments wait, the oldest for 69 s")
                    .contains("writeBudget allows");
        });
        world.pass(Duration.ofSeconds(60));
        assertThat(world.hub().status().problems()).isEmpty();
    }

    @Test
    void saysThatTheNamespaceIsMissing() {
        published();
        world.worker.failWrites(
                SimulatedServer.status(404, "NotFound", "namespaces \"cloud-init-settings\" not found"));

        world.profile("v1.1.0", "new line");
        world.time.settle();

        assertThat(problems()).containsExactly(Reason.WorkerNamespaceMissing);
        world.worker.failWrites(null);
        world.pass(Duration.ofSeconds(31));
        assertThat(problems()).isEmpty();
    }

    @Test
    void stopsAskingWhenItIsStopped() {
        published();

        world.hub().stop();
        world.pass(Duration.ofHours(3));

        assertThat(world.requests()).isZero();
        assertThat(world.worker.watches()).isZero();
    }
}

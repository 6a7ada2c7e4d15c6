package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.sim.objects.JsonTrees;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas over simulated clusters: whichever receives a request, the answer is the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ReplicasTest {
    private static final int TENANTS = 6;
    private static final String PROFILES_API = "operatingsystemmanager.k8c.io/v1alpha1";
    private static final String PROFILE = MachineFlavor.UBUNTU_ON_AWS.profile();
    /** They change between two requests to one replica, too. */
    private static final Set<String> OF_THE_MOMENT = Set.of("checkedAt", "shortestTokenSeconds", "renderedAt");

    @TempDir
    private static Path folder;

    private SimulatedFleet stage;
    private final List<LiveApi> replicas = new ArrayList<>();
    private String admin;

    @BeforeAll
    void start() throws Exception {
        stage = LiveApi.stage(TENANTS);
        for (int i = 0; i < 2; i++) {
            replicas.add(LiveApi.startReplica(
                    stage, Files.createDirectories(folder.resolve("replica-" + i)), "osm-hub-" + i));
        }
        for (var tenant : stage.tenants()) {
            stage.register(tenant);
            new DemoTenant(tenant)
                    .create(new MachineDeploymentName("kube-system", "workers"), MachineFlavor.UBUNTU_ON_AWS, 1);
        }
        for (LiveApi replica : replicas) {
            replica.listen();
        }
        admin = replicas.getFirst().admin();
        for (LiveApi replica : replicas) {
            LiveApi.awaitTrue(() -> {
                HttpResponse<String> all = replica.get("/machine-deployments?newNodes=Current", admin);
                return all.statusCode() == 200
                        && LiveApi.json(all).path("items").size() == TENANTS
                        && servers(replica).equals(Set.of("osm-hub-0", "osm-hub-1"));
            });
        }
    }

    @AfterAll
    void stop() {
        replicas.forEach(LiveApi::close);
    }

    private Set<String> servers(LiveApi replica) throws Exception {
        Set<String> servers = new java.util.TreeSet<>();
        LiveApi.json(replica.get("/worker-clusters", admin))
                .path("items")
                .forEach(item -> servers.add(item.at("/connection/servedBy").asText()));
        return servers;
    }

    private static JsonNode comparable(HttpResponse<String> response) throws Exception {
        JsonNode tree = LiveApi.json(response);
        remove(tree);
        return JsonTrees.object().put("status", response.statusCode()).set("body", tree);
    }

    private static void remove(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.remove(OF_THE_MOMENT);
            object.remove("requestId");
        }
        tree.forEach(ReplicasTest::remove);
    }

    private interface Question {
        HttpResponse<String> ask(LiveApi replica) throws Exception;
    }

    private void requireSame(String what, Question question) {
        Awaitility.await(what)
                .atMost(Duration.ofMinutes(2))
                .ignoreNoExceptions()
                .untilAsserted(() -> {
                    JsonNode first = comparable(question.ask(replicas.getFirst()));
                    JsonNode second = comparable(question.ask(replicas.getLast()));
                    assertThat(first.path("status").asInt())
                            .as("%s: %s", what, first)
                            .isEqualTo(200);
                    assertThat(second).as(what).isEqualTo(first);
                    assertThat(first.toString()).doesNotContain("unanswered");
                });
    }

    @Test
    void everyReadOperationGivesTheSameAnswerAtEachReplica() {
        List<String> paths = new ArrayList<>(List.of(
                "/summary",
                "/worker-clusters",
                "/worker-clusters?sort=shortestToken",
                "/machine-deployments",
                "/machine-deployments?sort=-tokenExpiresAt&limit=2",
                "/machine-deployments?sort=kubeletVersion",
                "/oscs",
                "/osps",
                "/problems",
                "/search?q=workers",
                "/version"));
        for (int i = 0; i < TENANTS; i++) {
            String tenant = "/namespaces/cluster-" + i;
            String machineDeployment = tenant + "/machine-deployments/kube-system/workers";
            paths.addAll(List.of(
                    tenant + "/worker-clusters/worker-" + i,
                    tenant + "/worker-clusters/worker-" + i + "/settings",
                    tenant + "/oscs/workers-kube-system-config",
                    machineDeployment,
                    machineDeployment + "/why",
                    machineDeployment + "/user-data?source=Wanted",
                    machineDeployment + "/user-data?source=Stored"));
        }

        for (String path : paths) {
            requireSame(path, replica -> replica.get(path, admin));
        }
    }

    @Test
    void previewsCoverTheTenantsOfAllReplicasAtEachReplica() throws Exception {
        for (int i = 0; i < TENANTS; i++) {
            ObjectNode rendering = JsonTrees.object().put("tenant", "cluster-" + i);
            rendering
                    .putObject("machineDeployment")
                    .put("namespace", "kube-system")
                    .put("name", "workers");
            requireSame("render " + i, replica -> replica.post("/render", admin, rendering));
        }
        requireSame("diff", replica -> replica.post("/diff", admin, changes()));

        JsonNode report = LiveApi.json(replicas.getFirst().post("/diff", admin, changes()));
        assertThat(report.path("changed").asInt()).isEqualTo(TENANTS);
        assertThat(report.path("workerClusters").asInt()).isEqualTo(TENANTS);
        assertThat(report.has("notConnected")).isFalse();
    }

    @Test
    void aPageOfADiffContinuesAtTheOtherReplica() throws Exception {
        List<String> tenants = new ArrayList<>();
        ObjectNode request = changes().put("limit", 1);
        int at = 0;
        for (String next = ""; next != null; at++) {
            if (!next.isEmpty()) {
                request.put("continue", next);
            }
            HttpResponse<String> page = replicas.get(at % 2).post("/diff", admin, request);
            assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
            JsonNode report = LiveApi.json(page);
            assertThat(report.path("total").asInt()).isEqualTo(TENANTS);
            report.path("items").forEach(item -> tenants.add(item.path("tenant").asText()));
            next = report.path("continue").textValue();
        }

        assertThat(tenants).hasSize(TENANTS).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aCursorOfAnotherRequestIsRejected() throws Exception {
        String next = LiveApi.json(
                        replicas.getFirst().post("/diff", admin, changes().put("limit", 1)))
                .path("continue")
                .asText();
        ObjectNode other = changes().put("continue", next).put("onlyChanged", false);

        for (ObjectNode request :
                List.of(other, changes().put("continue", "e30"), changes().put("continue", "%"))) {
            HttpResponse<String> rejected = replicas.getLast().post("/diff", admin, request);
            assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(400);
            assertThat(rejected.body()).contains("continue");
        }
    }

    @Test
    void permissionsAreCheckedForTheCallerOfTheFirstReplica() throws Exception {
        String stranger = stage.management().tokenForAudience("osm-hub", "stranger");
        for (LiveApi replica : replicas) {
            for (int i = 0; i < TENANTS; i++) {
                assertThat(replica.get(
                                        "/namespaces/cluster-" + i
                                                + "/machine-deployments/kube-system/workers/user-data",
                                        stranger)
                                .statusCode())
                        .isEqualTo(404);
            }
            JsonNode report = LiveApi.json(replica.post("/diff", stranger, changes()));
            assertThat(report.path("total").asInt()).isZero();
            assertThat(replica.get("/machine-deployments", stranger).body()).doesNotContain("cluster-");
        }
    }

    @Test
    void liveValuesAreForReplicasOnly() throws Exception {
        for (LiveApi replica : replicas) {
            HttpResponse<String> refused = replica.client()
                    .send(
                            java.net.http.HttpRequest.newBuilder(
                                            java.net.URI.create(replica.server() + "/replica/live"))
                                    .header("Authorization", "Bearer " + admin)
                                    .header("X-OSMHub-Replica", "forged")
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).doesNotContain("cluster-");
        }
    }

    @Test
    void aReplicaThatDoesNotAnswerIsNamed() throws Exception {
        ObjectNode lease =
                JsonTrees.object().put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        ObjectNode metadata =
                lease.putObject("metadata").put("namespace", "osm-hub").put("name", "osm-hub-member-mute");
        metadata.putObject("labels").put("osmhub.io/member", "true");
        metadata.putObject("annotations").put("osmhub.io/member-url", "https://127.0.0.1:1");
        lease.putObject("spec")
                .put("holderIdentity", "mute_1")
                .put("leaseDurationSeconds", 3600)
                .put(
                        "renewTime",
                        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
                                .withZone(ZoneOffset.UTC)
                                .format(Instant.now()));
        stage.management().objects().create(lease.toString());
        try {
            for (LiveApi replica : replicas) {
                for (String path : List.of("/summary", "/worker-clusters", "/machine-deployments", "/problems")) {
                    LiveApi.awaitTrue(() -> mute(LiveApi.json(replica.get(path, admin))));
                }
                LiveApi.awaitTrue(() -> mute(LiveApi.json(replica.post("/diff", admin, changes()))));
            }
        } finally {
            stage.management().objects().delete("coordination.k8s.io/v1", "Lease", "osm-hub", "osm-hub-member-mute");
            for (LiveApi replica : replicas) {
                LiveApi.awaitTrue(
                        () -> !LiveApi.json(replica.get("/summary", admin)).has("unanswered"));
            }
        }
    }

    private static boolean mute(JsonNode answer) {
        return answer.path("unanswered") instanceof ArrayNode names
                && names.size() == 1
                && names.path(0).asText().equals("mute");
    }

    /** The stored profile with another file. */
    private ObjectNode changes() {
        ObjectNode profile = stage.management()
                .objects()
                .get(PROFILES_API, "OperatingSystemProfile", SimulatedFleet.PROFILES, PROFILE)
                .orElseThrow();
        ObjectNode changed = JsonTrees.object().put("apiVersion", PROFILES_API).put("kind", "OperatingSystemProfile");
        changed.putObject("metadata").put("namespace", SimulatedFleet.PROFILES).put("name", PROFILE);
        changed.set("spec", profile.path("spec").deepCopy());
        changed.withObject("/spec").put("version", "v99.0.0");
        ObjectNode file =
                changed.withObject("/spec/bootstrapConfig").putArray("files").addObject();
        file.put("path", "/etc/changed").put("permissions", 644);
        file.putObject("content").putObject("inline").put("data", "# changed\n");
        changed.withObject("/spec/bootstrapConfig").remove("templates");
        changed.withObject("/spec/provisioningConfig").removeAll();
        ObjectNode request = JsonTrees.object();
        request.putArray("changes").add(changed);
        return request;
    }
}

package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.sim.objects.JsonTrees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several faults at the same time, as callers of the API read them: each cause once, with its fix and what it blocks. */
final class CausesTest {
    private static final String PROFILE_API = "operatingsystemmanager.k8c.io/v1alpha1";

    /**
     * A cause as injected.
     *
     * @param workerClusters tenants with the fault
     * @param blocked MachineDeployments that it blocks, counted once
     */
    private record Cause(String reason, String command, int workerClusters, int blocked) {}

    @TempDir
    private Path folder;

    private FaultFixture tenant(SimulatedFleet stage, String name, Consumer<FaultFixture> fault) {
        FaultFixture scene = new FaultFixture(stage, stage.addTenant("t-" + name, "c-" + name));
        fault.accept(scene);
        scene.register();
        return scene;
    }

    @Test
    void causesFixesAndCountsAreThoseOfTheInjectedFaults() throws Exception {
        SimulatedFleet stage = LiveApi.stage(0);
        stage.management()
                .objects()
                .create(FaultFixture.profile(stage, SimulatedFleet.PROFILES, "osp-typo", CausesTest::addTypo));
        tenant(stage, "typo-a", scene -> scene.useProfile("osp-typo"));
        tenant(stage, "typo-b", scene -> scene.useProfile("osp-typo"));
        FaultFixture paused = tenant(stage, "typo-c", scene -> scene.useProfile("osp-typo"));
        tenant(stage, "missing-a", scene -> scene.useProfile("osp-exampel"));
        tenant(stage, "missing-b", scene -> scene.useProfile("osp-exampel"));
        tenant(stage, "missing-c", scene -> scene.useProfile("osp-ubuntoo"));
        tenant(stage, "provider", scene -> scene.provider().put("cloudProvider", "gce"));
        FaultFixture both = tenant(stage, "both", scene -> scene.addTenantProfile(CausesTest::addTypo));
        tenant(stage, "never", FaultFixture::revokeCredential);
        String annotate = "kubectl -n kube-system annotate --overwrite machinedeployment workers"
                + " k8c.io/operating-system-profile=";
        Cause typo =
                new Cause("TemplateSyntaxError", "kubectl -n osm-profiles edit operatingsystemprofile osp-typo", 3, 3);
        List<Cause> others = List.of(
                new Cause("ProfileNotFound", annotate + "osp-example", 2, 2),
                new Cause("ProfileNotFound", annotate + "osp-ubuntu", 1, 1),
                new Cause("ProfileCloudProviderMismatch", annotate + "osp-ubuntu", 1, 1),
                new Cause("TemplateSyntaxError", "kubectl -n t-both edit operatingsystemprofile osp-own", 1, 1));
        Cause never = new Cause("CredentialsRejected", rotate("never"), 1, 0);
        // Its MachineDeployment counts for the template, its first broken link.
        Cause second = new Cause("CredentialsRejected", rotate("both"), 1, 0);

        try (LiveApi api = LiveApi.start(stage, folder, "")) {
            api.listen();
            String admin = api.admin();
            await(api, admin, typo, others, never);
            paused.patchWorkerCluster("{\"spec\":{\"paused\":true}}");
            both.revokeCredential();
            both.faults().closeConnections();
            await(api, admin, typo, others, never, second);

            assertThat(summary(api, admin)
                            .path("machineDeployments")
                            .path("Blocked")
                            .asInt())
                    .isEqualTo(8);
            assertThat(LiveApi.json(api.get("/namespaces/osm-profiles/osps/osp-typo", admin))
                            .at("/profile/usedBy/machineDeployments")
                            .asInt())
                    .isEqualTo(3);
            String cause = cause(api, admin, "osp-typo").path("id").asText();
            assertThat(LiveApi.json(api.get("/problems?cause=" + cause, admin))
                            .path("total")
                            .asInt())
                    .as("three MachineDeployments and the profile")
                    .isEqualTo(4);
            JsonNode why =
                    LiveApi.json(api.get("/namespaces/t-typo-a/machine-deployments/kube-system/workers/why", admin));
            assertThat(why.at("/cause/headline").asText()).isEqualTo("Function \"toYamll\" not defined");
            assertThat(why.at("/cause/excerpt").asText())
                    .isEqualTo("    1 | {{ .KubeVersion | toYamll }}\n" + " ".repeat(26) + "^");

            stage.management()
                    .objects()
                    .patch(
                            PROFILE_API,
                            "OperatingSystemProfile",
                            SimulatedFleet.PROFILES,
                            "osp-typo",
                            corrected(stage));
            paused.patchWorkerCluster("{\"spec\":{\"paused\":false}}");

            await(api, admin, null, others, never, second);
            assertThat(summary(api, admin)
                            .path("machineDeployments")
                            .path("Blocked")
                            .asInt())
                    .isEqualTo(5);
            assertThat(LiveApi.json(api.get("/problems?state=Resolved&reason=TemplateSyntaxError", admin))
                            .path("total")
                            .asInt())
                    .isEqualTo(4);
        }
    }

    private static String rotate(String name) {
        return "hub cluster rotate c-" + name + " -n t-" + name + " --kubeconfig FILE";
    }

    private static String corrected(SimulatedFleet stage) {
        ObjectNode profile = FaultFixture.profile(stage, SimulatedFleet.PROFILES, "osp-typo", spec -> {
            FaultFixture.addFile(spec, "{{ .KubeVersion }}");
            spec.put("version", "v9.0.0");
        });
        ObjectNode patch = JsonTrees.object();
        patch.set("spec", profile.path("spec"));
        return patch.toString();
    }

    private static JsonNode summary(LiveApi api, String admin) throws Exception {
        return LiveApi.json(api.get("/summary", admin));
    }

    private static JsonNode cause(LiveApi api, String admin, String object) throws Exception {
        return StreamSupport.stream(summary(api, admin).path("causes").spliterator(), false)
                .filter(cause -> cause.at("/object/name").asText().equals(object))
                .findFirst()
                .orElseThrow();
    }

    private static void await(LiveApi api, String admin, @Nullable Cause first, List<Cause> others, Cause... more) {
        List<Cause> expected = new ArrayList<>(others);
        expected.addAll(List.of(more));
        if (first != null) {
            expected.add(first);
        }
        Awaitility.await()
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(200))
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(StreamSupport.stream(
                                        summary(api, admin).path("causes").spliterator(), false)
                                .map(cause -> new Cause(
                                        cause.path("reason").asText(),
                                        cause.path("command").asText(),
                                        cause.path("workerClusters").asInt(),
                                        cause.path("blocked").asInt()))
                                .toList())
                        .containsExactlyInAnyOrderElementsOf(expected));
    }

    private static void addTypo(ObjectNode spec) {
        FaultFixture.addFile(spec, "{{ .KubeVersion | toYamll }}");
    }
}

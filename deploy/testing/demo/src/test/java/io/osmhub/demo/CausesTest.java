package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.sim.faults.ClusterFaults;
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
    private static final String ANNOTATE = "kubectl -n kube-system annotate --overwrite machinedeployment workers"
            + " k8c.io/operating-system-profile=";

    /**
     * A cause as injected.
     *
     * @param workerClusters tenants with the fault
     * @param blocked MachineDeployments that it blocks, counted once
     * @param outdated those whose nodes start with older content
     * @param atRisk those whose nodes start for now
     */
    private record Cause(String reason, String command, int workerClusters, int blocked, int outdated, int atRisk) {
        Cause(String reason, String command, int workerClusters, int blocked) {
            this(reason, command, workerClusters, blocked, 0, 0);
        }
    }

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
        Cause typo =
                new Cause("TemplateSyntaxError", "kubectl -n osm-profiles edit operatingsystemprofile osp-typo", 3, 3);
        List<Cause> others = List.of(
                new Cause("ProfileNotFound", ANNOTATE + "osp-example", 2, 2),
                new Cause("ProfileNotFound", ANNOTATE + "osp-ubuntu", 1, 1),
                new Cause("ProfileCloudProviderMismatch", ANNOTATE + "osp-ubuntu", 1, 1),
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
            await(
                    api,
                    admin,
                    typo,
                    others,
                    never,
                    second,
                    new Cause("Paused", "hub cluster resume c-typo-c -n t-typo-c", 1, 0));

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
                            version9(stage, "{{ .KubeVersion }}"));
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

    /** Each tenant has one fault more than those of {@link TenantFault}: it strikes others too, comes later, or changes into another. */
    @Test
    void causesOfFaultsThatStrikeSeveralOrChangeAreThoseInjected() throws Exception {
        SimulatedFleet stage = LiveApi.stage(0);
        share(stage, "osp-used", spec -> {});
        share(stage, "osp-shared", CausesTest::addTypo);
        share(stage, "osp-large", spec -> FaultFixture.addBootstrapFile(spec, TenantFault.large()));
        share(stage, "osp-old", spec -> spec.put("supportedKubernetesVersions", "<1.30.0"));
        tenant(stage, "used-a", scene -> scene.useProfile("osp-used"));
        tenant(stage, "used-b", scene -> scene.useProfile("osp-used"));
        tenant(stage, "shared-aws", scene -> scene.useProfile("osp-shared"));
        tenant(stage, "shared-azure", scene -> scene.useProfile("osp-shared", "azure"));
        tenant(stage, "large-aws", scene -> scene.useProfile("osp-large"));
        tenant(stage, "large-azure", scene -> scene.useProfile("osp-large", "azure"));
        tenant(stage, "old-a", scene -> scene.useProfile("osp-old"));
        tenant(stage, "old-b", scene -> scene.useProfile("osp-old"));
        FaultFixture turn = tenant(stage, "turn", scene -> {
            scene.addTenantProfile(CausesTest::addTypo);
            scene.provider().put("cloudProvider", "gce");
        });
        FaultFixture edited = tenant(stage, "edited", scene -> scene.addTenantProfile(spec -> {}));
        FaultFixture token = tenant(stage, "token", scene -> {});
        FaultFixture verb = tenant(stage, "verb", scene -> {});
        FaultFixture weak = tenant(stage, "weak", scene -> {});
        FaultFixture paused = tenant(stage, "paused", scene -> {});
        tenant(stage, "control", scene -> scene.useProfile("osp-\u0007ubuntu"));
        List<Cause> throughout = List.of(
                edit("osm-profiles", "osp-shared", 2, 2),
                new Cause("UserDataTooLarge", profile("osm-profiles", "osp-large"), 1, 1),
                new Cause("ProfileKubernetesVersionMismatch", ANNOTATE + "osp-example", 2, 2),
                new Cause("ProfileNotFound", ANNOTATE + "osp-ubuntu", 1, 1));

        try (LiveApi api = LiveApi.start(stage, folder, "")) {
            api.listen();
            String admin = api.admin();
            // The MachineDeployment counts for the provider, its first broken link.
            await(
                    api,
                    admin,
                    new Cause("ProfileCloudProviderMismatch", ANNOTATE + "osp-ubuntu", 1, 1),
                    throughout,
                    edit("t-turn", "osp-own", 0, 0));

            turn.patchMachineDeployment(
                    "{\"spec\":{\"template\":{\"spec\":{\"providerSpec\":{\"value\":{\"cloudProvider\":\"aws\"}}}}}}");
            stage.management()
                    .objects()
                    .delete(PROFILE_API, "OperatingSystemProfile", SimulatedFleet.PROFILES, "osp-used");
            stage.management()
                    .objects()
                    .patch(
                            PROFILE_API,
                            "OperatingSystemProfile",
                            edited.namespace(),
                            "osp-own",
                            version9(stage, "{{ .KubeVersion | toYamll }}"));
            token.worker().delete("v1", "Secret", "cloud-init-settings", "cloud-init-getter-token");
            verb.faults()
                    .script(request -> request.resource().equals("secrets")
                                    && List.of("update", "patch").contains(request.verb())
                            ? TenantFault.refused(403)
                            : ClusterFaults.FaultAction.PASS);
            weak.replaceKubeconfig(user -> user.put("token", weak.tokenWithoutPermission()));
            verb.patchMachineDeployment(
                    "{\"metadata\":{\"annotations\":{\"v1.kubelet-config.machine-controller.kubermatic.io/MaxPods\":\"50\"}}}");
            paused.patchWorkerCluster("{\"spec\":{\"paused\":true}}");
            await(
                    api,
                    admin,
                    edit("t-turn", "osp-own", 1, 1),
                    throughout,
                    new Cause("ProfileNotFound", ANNOTATE + "osp-example", 2, 0, 2, 0),
                    new Cause("TemplateSyntaxError", profile("t-edited", "osp-own"), 1, 0, 1, 0),
                    new Cause("GetterTokenMissing", "hub cluster prepare c-token -n t-token", 1, 0, 1, 0),
                    new Cause("WriteForbidden", "hub cluster rbac c-verb -n t-verb | kubectl apply -f -", 1, 0, 1, 0),
                    new Cause("NewCredentialsUnproven", rotate("weak"), 1, 0),
                    new Cause("Paused", "hub cluster resume c-paused -n t-paused", 1, 0, 0, 1));
            LiveApi.awaitTrue(() -> cause(api, admin, "c-paused")
                    .path("headline")
                    .asText()
                    .matches("The hub writes nothing, bootstrap tokens expire from [-0-9]+T[:0-9]+Z"));
            // The excerpt is text of the profile, which this caller may not read.
            String why = "/namespaces/t-turn/machine-deployments/kube-system/workers/why";
            assertThat(LiveApi.json(api.get(why, admin)).at("/cause/excerpt").asText())
                    .contains("toYamll");
            JsonNode limited = LiveApi.json(api.get(why, configReader(stage, "t-turn")));
            assertThat(limited.at("/cause/reason").asText()).isEqualTo("TemplateSyntaxError");
            assertThat(limited.at("/cause").has("excerpt")).isFalse();
        }
    }

    /** A token of a user who may get the configurations of a tenant only. */
    private static String configReader(SimulatedFleet stage, String tenant) {
        stage.management().objects().create("""
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"namespace":"%s","name":"reader"},
                 "rules":[{"apiGroups":["operatingsystemmanager.k8c.io"],"resources":["operatingsystemconfigs"],"verbs":["get","list"]}]}
                """.formatted(tenant));
        stage.management().objects().create("""
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"namespace":"%s","name":"reader"},
                 "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"reader"},
                 "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"reader"}]}
                """.formatted(tenant));
        return stage.management().tokenForAudience("osm-hub", "reader");
    }

    private static Cause edit(String namespace, String name, int workerClusters, int blocked) {
        return new Cause("TemplateSyntaxError", profile(namespace, name), workerClusters, blocked);
    }

    private static String profile(String namespace, String name) {
        return "kubectl -n " + namespace + " edit operatingsystemprofile " + name;
    }

    private static void share(SimulatedFleet stage, String name, Consumer<ObjectNode> change) {
        stage.management().objects().create(FaultFixture.profile(stage, SimulatedFleet.PROFILES, name, spec -> {
            spec.withArray("supportedCloudProviders").addObject().put("name", "azure");
            change.accept(spec);
        }));
    }

    private static String rotate(String name) {
        return "hub cluster rotate c-" + name + " -n t-" + name + " --kubeconfig FILE";
    }

    private static String version9(SimulatedFleet stage, String template) {
        ObjectNode profile = FaultFixture.profile(stage, SimulatedFleet.PROFILES, "osp-typo", spec -> {
            FaultFixture.addFile(spec, template);
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
                                        cause.path("blocked").asInt(),
                                        cause.path("outdated").asInt(),
                                        cause.path("atRisk").asInt()))
                                .toList())
                        .containsExactlyInAnyOrderElementsOf(expected));
    }

    private static void addTypo(ObjectNode spec) {
        FaultFixture.addFile(spec, "{{ .KubeVersion | toYamll }}");
    }
}

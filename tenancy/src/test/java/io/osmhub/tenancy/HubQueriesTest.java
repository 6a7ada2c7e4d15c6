package io.osmhub.tenancy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Previewer.Preview;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.userdata.UserDataSize;
import io.osmhub.tenancy.LiveTenant.PreviewProposal;
import io.osmhub.tenancy.LiveTenant.PreviewResult;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProposedProfileLister;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.SyncWorld;
import io.osmhub.workersync.reconcile.MachineDeploymentViews.MachineDeploymentView;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HubQueriesTest {
    private static final ObjectKey WORKERS = new ObjectKey("kube-system", "workers");
    private static final String CANARY = "CANARY";
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{20,}={0,2}");

    private final FleetWorld world = new FleetWorld();

    private LiveTenant tenant() {
        return world.hub().details().live("t1").orElseThrow();
    }

    private SimulatedServer begin() {
        SimulatedServer worker = world.tenant("t1");
        FleetWorld.machineDeployment(worker, "workers");
        world.start();
        world.pass(Duration.ofSeconds(5));
        return worker;
    }

    private static StoredProfile profile(String text) {
        ObjectNode object = WireJson.object();
        object.putObject("metadata").put("namespace", "osm-profiles").put("name", "osp-ubuntu");
        ObjectNode spec = object.putObject("spec");
        spec.put("osName", "ubuntu").put("osVersion", "24.04").put("version", "v9.0.0");
        spec.putArray("supportedCloudProviders").addObject().put("name", "aws");
        for (String config : List.of("bootstrapConfig", "provisioningConfig")) {
            ObjectNode file = spec.putObject(config).putArray("files").addObject();
            file.put("path", "/etc/tried").put("permissions", 644);
            file.putObject("content").putObject("inline").put("data", text);
        }
        return ProposedProfileLister.read(object);
    }

    private static PreviewProposal of(StoredProfile profile) {
        return new PreviewProposal(List.of(profile), List.of(), null, null, null);
    }

    @Test
    void aMachineDeploymentIsShownAsTheCachesHaveIt() {
        begin();

        MachineDeploymentView seen = tenant().machineDeployment(WORKERS).orElseThrow();

        assertThat(seen.profile()).isEqualTo("osp-ubuntu");
        assertThat(seen.operatingSystem()).isEqualTo("ubuntu");
        assertThat(seen.cloudProvider()).isEqualTo("aws");
        assertThat(seen.secrets()).containsKeys(SecretRole.BOOTSTRAP, SecretRole.PROVISIONING);
        assertThat(Objects.requireNonNull(seen.secrets().get(SecretRole.BOOTSTRAP))
                        .revision())
                .isEqualTo("1");
        assertThat(seen.tokenEnd()).isAfter(world.time.now());
        assertThat(Objects.requireNonNull(seen.state()).newNodes()).isEqualTo(NewNodes.CURRENT);
        assertThat(world.hub().details().config("t1", "workers-kube-system-config"))
                .isPresent();
        assertThat(tenant().machineDeployment(new ObjectKey("kube-system", "others")))
                .isEmpty();
        assertThat(world.hub().details().live("t2")).isEmpty();
    }

    @Test
    void whatIsWantedNowIsWhatIsPublished() {
        begin();

        PreviewResult attempt =
                tenant().previewRendering(WORKERS, PreviewProposal.NONE).orElseThrow();

        Preview preview = Objects.requireNonNull(attempt.preview());
        MachineDeploymentView seen = tenant().machineDeployment(WORKERS).orElseThrow();
        assertThat(attempt.published()).isTrue();
        assertThat(preview.rendered().contentHash())
                .isEqualTo(Objects.requireNonNull(seen.config()).contentHash());
        assertThat(preview.rendered().bytes().get(SecretRole.PROVISIONING))
                .isEqualTo(Objects.requireNonNull(seen.secrets().get(SecretRole.PROVISIONING))
                        .bytes());
    }

    @Test
    void aPreviewWritesNothingAndReadsNothing() {
        SimulatedServer worker = begin();
        worker.forgetRequests();
        world.management.forgetRequests();

        assertThat(tenant().previewRendering(WORKERS, of(profile("another text"))))
                .isPresent();

        assertThat(worker.requests()).isEmpty();
        assertThat(world.management.requests()).isEmpty();
    }

    @Test
    void aProposedProfileChangesThePreviewAndNothingElse() {
        begin();

        PreviewResult before =
                tenant().previewRendering(WORKERS, PreviewProposal.NONE).orElseThrow();
        PreviewResult after =
                tenant().previewRendering(WORKERS, of(profile("another text"))).orElseThrow();

        assertThat(text(after, SecretRole.PROVISIONING)).contains("another text");
        assertThat(changed(before, after, Preview::documentsToCompare))
                .isEqualTo(changed(before, after, Preview::documents))
                .contains(SecretRole.PROVISIONING.name(), "null")
                .doesNotContain(SecretRole.KUBELET_BOOTSTRAP.name());
        assertThat(text(before, SecretRole.PROVISIONING)).doesNotContain("another text");
        PreviewResult again =
                tenant().previewRendering(WORKERS, PreviewProposal.NONE).orElseThrow();
        assertThat(Objects.requireNonNull(again.preview()).documents())
                .isEqualTo(Objects.requireNonNull(before.preview()).documents());
        assertThat(again.problems()).isEqualTo(before.problems());
    }

    /** Roles of the documents that differ; {@code null} of the configuration. */
    private static List<String> changed(
            PreviewResult before, PreviewResult after, Function<Preview, List<Preview.Document>> documents) {
        List<Preview.Document> old = documents.apply(Objects.requireNonNull(before.preview()));
        List<Preview.Document> now = documents.apply(Objects.requireNonNull(after.preview()));
        return IntStream.range(0, now.size())
                .filter(i -> !now.get(i).text().equals(old.get(i).text()))
                .mapToObj(i -> String.valueOf(now.get(i).role()))
                .toList();
    }

    @Test
    void aProposedProfileThatDoesNotRenderIsRefusedWithItsPlace() {
        begin();

        PreviewResult attempt = tenant().previewRendering(WORKERS, of(profile("{{ nothingLikeThat }}")))
                .orElseThrow();

        assertThat(attempt.preview()).isNull();
        assertThat(attempt.problems()).extracting(Problem::reason).containsOnly(Reason.TemplateSyntaxError);
        assertThat(attempt.problems().getFirst().message()).contains("osm-profiles/osp-ubuntu", "/etc/tried");
    }

    @Test
    void proposedSettingsHoldInThePreview() {
        begin();
        JsonNode spec = WireJson.object()
                .set("provisioning", WireJson.object().set("clusterDNS", WireJson.tree(List.of("10.99.0.10"))));

        PreviewResult attempt = tenant().previewRendering(
                        WORKERS,
                        new PreviewProposal(List.of(profile("{{ .ClusterDNSIPs }}")), List.of(), null, null, spec))
                .orElseThrow();

        assertThat(text(attempt, SecretRole.PROVISIONING)).contains("10.99.0.10");
    }

    @Test
    void admissionHearsWhatWouldKeepAMachineDeploymentFromBeingPublished() {
        begin();
        ObjectNode object = SyncWorld.json("kube-system", "others", "osp-ubuntu", "1");
        object.withObject("/spec/template/spec/providerSpec/value")
                .putArray("sshPublicKeys")
                .add("ssh-ed25519 " + UserDataSize.standIn(2_000).reveal());
        MachineDeployment wanted = MachineDeployment.read(SourceDocument.of(ProblemObject.input("it"), object));

        assertThat(trial(wanted)).isEmpty();

        world.patch("t1", "prod", "{'spec':{'provisioning':{'userDataLimitBytes':1024}}}");
        world.pass(Duration.ofSeconds(5));

        // Admission waits only briefly, so that on a busy machine the first trial may return nothing.
        List<String> warnings = trial(wanted);
        for (int i = 0; i < 30 && warnings.isEmpty(); i++) {
            warnings = trial(wanted);
        }
        assertThat(warnings).singleElement().asString().contains("user-data", " of 1,024 B");
    }

    private List<String> trial(MachineDeployment machineDeployment) {
        return world.hub()
                .admission()
                .tenant("t1", "prod")
                .orElseThrow()
                .trial()
                .apply(machineDeployment);
    }

    private static String text(PreviewResult attempt, SecretRole role) {
        return Objects.requireNonNull(attempt.preview()).documents().stream()
                .filter(document -> document.role() == role)
                .findFirst()
                .orElseThrow()
                .text();
    }

    /** Credentials everywhere a template could read one. */
    private SimulatedServer plantCanaries() {
        SimulatedServer worker = world.tenant("t1");
        worker.put(
                Resource.SECRETS,
                SyncWorld.secret(SyncWorld.SETTINGS, "cloud-init-getter-token", Map.of("token", CANARY + "-fetch")),
                "kube-controller-manager");
        ObjectNode object = SyncWorld.json("kube-system", "workers", "osp-ubuntu", "1");
        ObjectNode value = (ObjectNode) object.at("/spec/template/spec/providerSpec/value");
        value.withObject("/cloudProviderSpec")
                .put("accessKeyId", CANARY + "-key")
                .put("secretAccessKey", CANARY + "-secret");
        value.put("overwriteCloudConfig", "password = " + CANARY + "-cloud");
        worker.put(Resource.MACHINE_DEPLOYMENTS, object.toString(), "kubectl");
        secret("registries", "registry.example.org", "{\"username\":\"u\",\"password\":\"" + CANARY + "-registry\"}");
        secret("proxy", "url", "http://u:" + CANARY + "-proxy@proxy.example.org");
        world.start();
        world.pass(Duration.ofSeconds(5));
        world.patch(
                "t1",
                "prod",
                "{'spec':{'provisioning':{'registries':{'credentialsSecretRef':{'name':'registries'}},"
                        + "'proxy':{'httpProxySecretRef':{'name':'proxy','key':'url'}}}}}");
        world.pass(Duration.ofSeconds(5));
        return worker;
    }

    private void secret(String name, String key, String text) {
        ObjectNode object = WireJson.object();
        object.putObject("metadata").put("namespace", "t1").put("name", name);
        object.putObject("data").put(key, Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
        world.management.put(Resource.SECRETS, object.put("type", "Opaque").toString(), "kubectl");
    }

    @Test
    void noTextMessageOrSizeOfAPreviewTellsOfACredential() {
        plantCanaries();
        String everything = "{{ .Token }} {{ .BootstrapKubeconfig }} {{ .CloudConfig }} {{ .ContainerRuntimeConfig }}"
                + " {{ .HTTPProxy }} {{ . | toString }}";
        List<String> curious = List.of(
                everything,
                "{{ fail .Token }}",
                "{{ fail .CloudConfig }}",
                "{{ fail .ContainerRuntimeConfig }}",
                "{{ if contains \"" + CANARY + "\" .Token }}{{ repeat 100 \"x\" }}{{ end }}",
                "{{ if contains \"" + CANARY + "\" .CloudConfig }}{{ repeat 100 \"x\" }}{{ end }}");

        for (String text : curious) {
            PreviewResult attempt =
                    tenant().previewRendering(WORKERS, of(profile(text))).orElseThrow();

            assertThat(attempt.problems()).allSatisfy(problem -> assertThat(problem.message())
                    .doesNotContain(CANARY)
                    .doesNotContain("xxxxxxxxxxxxxxxxxxxx"));
            if (attempt.preview() != null) {
                assertThat(attempt.preview().documents()).allSatisfy(document -> {
                    assertThat(document.text()).doesNotContain(CANARY);
                    assertThat(document.text()).doesNotContain("xxxxxxxxxxxxxxxxxxxx");
                });
            }
        }
        // Published content contains the canaries, so they were in reach.
        SimulatedServer worker = Objects.requireNonNull(world.connections.servers.get("t1.example.org"));
        String published = Objects.requireNonNull(FleetWorld.bootstrap(worker, "workers"));
        assertThat(BASE64.matcher(published).results().map(found -> decoded(found.group())))
                .anyMatch(text -> text.contains(CANARY + "-fetch"));
    }

    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), UTF_8);
        } catch (IllegalArgumentException e) {
            // Another word of that length.
            return "";
        }
    }

    @Test
    void whoUsesAProfileIsCounted() {
        begin();
        world.pass(Duration.ofSeconds(70));

        JsonNode status = Objects.requireNonNull(
                        world.management.object(Resource.OPERATING_SYSTEM_PROFILES, "osm-profiles", "osp-ubuntu"))
                .path("status");
        assertThat(status.at("/usedBy/machineDeployments").asInt()).isEqualTo(1);
        assertThat(status.at("/usedBy/workerClusters").asInt()).isEqualTo(1);
    }

    @Test
    void aProfileThatFailsForSomethingThatItSaysItServesIsNotValidAndSaysWhere() {
        world.tenant("t1");
        world.profile(
                "t1",
                "osp-half",
                "v1.0.0",
                "{{ if semverCompare \">=1.33-0\" .KubeVersion }}{{ fail \"no\" }}{{ end }}");
        world.start();
        world.pass(Duration.ofSeconds(5));

        JsonNode status = Objects.requireNonNull(
                        world.management.object(Resource.OPERATING_SYSTEM_PROFILES, "t1", "osp-half"))
                .path("status");
        assertThat(status.at("/conditions/0/status").asText()).isEqualTo("False");
        assertThat(status.at("/conditions/0/reason").asText()).isEqualTo("TemplateExecutionFailed");
        assertThat(status.at("/findings/0/rule").asText()).isEqualTo("template-execution");
    }
}

package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.Await;
import io.osmhub.e2e.cluster.ClusterClient;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealClusters;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extensions with real API servers: what their schema refuses, and what the hub does while they change, conflict or cannot be read. */
final class ExtensionE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    private static InstalledHub hub;
    private static RealTenant tenant;
    private static ClusterClient management;
    private static MachineDeploymentObjectNames names;

    @BeforeAll
    static void start() {
        hub = InstalledHub.run(
                        CLUSTERS.folder(),
                        RealTenant.prepareManagement(CLUSTERS.management(), CLUSTERS.folder()),
                        HubConfigurationText.FOR_TESTS)
                .awaitReady();
        management = CLUSTERS.management().admin();
        tenant = RealTenant.prepare("cluster-amber", CLUSTERS.management(), CLUSTERS.worker(1));
        tenant.clusterInfo(ExampleObjects.clusterInfo("https://api.example.org:6443", tenant.worker()));
        tenant.register().awaitSynced();
        tenant.storeProfile(ExampleObjects.profile());
        ObjectNode machineDeployment = ExampleObjects.machineDeployment("workers");
        tenant.worker().admin().create(machineDeployment);
        names = MachineDeploymentObjectNames.of(machineDeployment);
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @BeforeEach
    @AfterEach
    void removeExtensions() {
        management.list(ApiResource.EXTENSIONS.in(tenant.namespace())).forEach(management::delete);
        Await.until(
                "published without extensions", () -> isCurrent() && !version().contains("+ext."));
    }

    private static void apply(String name, String content) {
        tenant.storeExtension(name, "/etc/site", content);
    }

    private static Optional<JsonNode> osc() {
        return tenant.osc(names.osc());
    }

    private static String version() {
        return osc().map(osc -> osc.at("/metadata/annotations")
                        .path("k8c.io/osp-version")
                        .asText())
                .orElse("");
    }

    /** Reason and message of the condition that rendering sets. */
    private static String rendered() {
        return osc().stream()
                .flatMap(osc -> osc.path("status").path("conditions").valueStream())
                .filter(condition -> condition.path("type").asText().equals("Rendered"))
                .map(condition -> condition.path("reason").asText() + ": "
                        + condition.path("message").asText())
                .findFirst()
                .orElse("");
    }

    private static boolean isCurrent() {
        return rendered().startsWith("RenderedFromProfile");
    }

    private static boolean provisioningContains(String text) {
        return tenant.secret(names.provisioning())
                .map(secret -> ChangesE2E.readable(ManifestObjects.value(secret, "cloud-config")))
                .filter(document -> document.contains(text))
                .isPresent();
    }

    @Test
    void itReachesTheSecretsAndTheStatusesNameIt() {
        apply("site", "marked-by-an-extension");

        Await.until("published", () -> provisioningContains("marked-by-an-extension"));
        Await.until("with its version", () -> version().contains("+ext."));
        Await.until("the configuration names it", () -> osc().map(osc -> osc.at("/status/source/extensions/0"))
                .filter(source -> source.path("name").asText().equals("site")
                        && source.at("/paths/0").asText().equals("/etc/site"))
                .isPresent());
        Await.until("its own status is Valid", () -> management
                .get(ApiResource.EXTENSIONS.in(tenant.namespace(), "site"))
                .at("/status/conditions/0")
                .path("status")
                .asText()
                .equals("True"));
    }

    @Test
    void aConflictKeepsWhatIsPublishedUntilOneOfTheTwoIsGone() {
        apply("site", "content-of-the-first");
        Await.until("published", () -> provisioningContains("content-of-the-first"));
        Map<String, String> versions = tenant.secretVersions();

        apply("other", "content-of-the-second");

        Await.until("refused", () -> rendered().startsWith("ExtensionConflict"));
        assertThat(rendered())
                .contains("OperatingSystemProfileExtension cluster-amber/other, spec.provisioning.files[0]")
                .contains("cluster-amber/site, spec.provisioning.files[0]");
        assertThat(tenant.secretVersions()).isEqualTo(versions);
        management.delete(ApiResource.EXTENSIONS.in(tenant.namespace(), "other"));
        Await.until("current", ExtensionE2E::isCurrent);
        assertThat(tenant.secretVersions()).isEqualTo(versions);
    }

    @Test
    void withoutTheKindPublishedContentStays() {
        apply("site", "content-that-is-kept");
        Await.until("published", () -> provisioningContains("content-that-is-kept"));
        Await.until("recorded", () -> osc().map(osc -> osc.at("/status/source/extensions/0"))
                .filter(source -> source.has("name"))
                .isPresent());
        Map<String, String> versions = tenant.secretVersions();
        JsonNode definition = ManifestObjects.object(ShippedDefinition.PROFILE_EXTENSIONS.yaml());

        management.delete(definition);

        Await.until("held", () -> rendered().startsWith("ExtensionsUnreadable"));
        Await.until("gone", () -> management
                .find(new ApiResource("apiextensions.k8s.io", "v1", "customresourcedefinitions")
                        .named(ManifestObjects.name(definition)))
                .isEmpty());
        assertThat(tenant.secretVersions()).isEqualTo(versions);
        management.apply(definition);
        Await.until("served again", () -> {
            try {
                apply("site", "content-that-is-kept");
                return true;
            } catch (KubernetesClientException notYet) {
                return false;
            }
        });
        Await.until("current", ExtensionE2E::isCurrent);
        assertThat(tenant.secretVersions()).isEqualTo(versions);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "files: [{path: /etc//issue, content: x}]",
                "files: [{path: /etc/../issue, content: x}]",
                "files: [{path: /a, permissions: 0644, content: x}]",
                "files: [{path: /a, permissions: '4755', content: x}]",
                "files: [{path: /a, operation: Edit}]",
                "files: [{path: /a, operation: Remove, content: x}]",
                "files: [{path: /a, content: x}, {path: /a, content: x}]",
                "files: [{path: /etc/systemd/system/kubelet.service, operation: Remove}]",
                "units: [{name: a.service}]"
            })
    void theSchemaRefuses(String provisioning) {
        ObjectNode object = ManifestObjects.object("""
                apiVersion: osmhub.io/v1alpha1
                kind: OperatingSystemProfileExtension
                metadata: {name: refused, namespace: %s}
                spec:
                  target: {operatingSystems: [ubuntu]}
                  policy: Default
                  provisioning: {%s}
                """.formatted(tenant.namespace(), provisioning));

        assertThatThrownBy(() -> management.dryRun(object))
                .isInstanceOfSatisfying(KubernetesClientException.class, refused -> assertThat(refused.getCode())
                        .isIn(400, 422));
    }
}

package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ManifestObjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks of the manifests without a cluster. */
final class ManifestsTest {
    private static final String AGGREGATE = "rbac.authorization.k8s.io/aggregate-to-";
    private static final List<String> SECRET_NAMESPACES = List.of("cloud-init-settings", "kube-system");

    @Test
    void everyFileIsAppliedSomewhere() throws IOException {
        List<String> applied = Stream.concat(
                        ManifestObjects.file(ShippedManifests.FOLDER.resolve("kustomization.yaml"))
                                .getFirst()
                                .path("resources")
                                .valueStream()
                                .map(JsonNode::asText),
                        Stream.of(
                                "kustomization.yaml",
                                // The hub itself installs these two.
                                "crds/operatingsystemconfigs.operatingsystemmanager.k8c.io.yaml",
                                "crds/operatingsystemprofiles.operatingsystemmanager.k8c.io.yaml",
                                "worker-prerequisites.yaml",
                                "rbac-worker.yaml",
                                "rbac-worker-admission.yaml",
                                "rbac-worker-renew.yaml",
                                "rbac-worker-scoped-fetch.yaml",
                                "rbac-kkp.yaml",
                                "rbac-single.yaml",
                                "webhooks-single.yaml"))
                .toList();

        try (Stream<Path> files = Files.walk(ShippedManifests.FOLDER)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file ->
                                    ShippedManifests.FOLDER.relativize(file).toString())
                            // The hub itself installs these; NodeBootE2E and the tests of deploy/packaging/profiles
                            // have them.
                            .filter(file -> !file.startsWith("profiles/")))
                    .containsExactlyInAnyOrderElementsOf(applied);
        }
    }

    @Test
    void noRoleHasAWildcard() {
        Stream.concat(ShippedManifests.management().stream(), ShippedManifests.worker().stream())
                .filter(object -> object.has("rules"))
                .forEach(role -> assertThat(role.path("rules").toString())
                        .as("%s", ManifestObjects.name(role))
                        .doesNotContain("\"*\""));
    }

    @Test
    void aWorkersSecretsAreGrantedInTwoNamespacesOnly() {
        List<ObjectNode> rolesWithSecrets = ShippedManifests.worker().stream()
                .filter(object ->
                        rules(object).anyMatch(rule -> names(rule, "resources").contains("secrets")))
                .filter(role -> !ManifestObjects.name(role).equals("cloud-init-getter"))
                .toList();

        assertThat(rolesWithSecrets).hasSize(SECRET_NAMESPACES.size()).allSatisfy(role -> {
            assertThat(role.path("kind").asText()).isEqualTo("Role");
            assertThat(SECRET_NAMESPACES).contains(ManifestObjects.namespace(role));
        });
    }

    @Test
    void rolesToHandOutReadNoSecret() {
        List<JsonNode> secretRules = ShippedManifests.management().stream()
                .filter(object -> ManifestObjects.name(object).startsWith("osmhub.io:"))
                .flatMap(ManifestsTest::rules)
                .filter(rule -> names(rule, "resources").contains("secrets"))
                .toList();

        assertThat(secretRules).isNotEmpty().allSatisfy(rule -> assertThat(names(rule, "verbs"))
                .doesNotContain("get", "list", "watch"));
    }

    @Test
    void rolesToHandOutExtendThoseOfKubernetes() {
        Map<String, String> extended = new TreeMap<>();
        for (ObjectNode object : ShippedManifests.management()) {
            object.at("/metadata/labels")
                    .propertyStream()
                    .map(Map.Entry::getKey)
                    .filter(label -> label.startsWith(AGGREGATE))
                    .forEach(label -> extended.put(ManifestObjects.name(object), label.substring(AGGREGATE.length())));
        }

        assertThat(extended)
                .isEqualTo(Map.of(
                        "osmhub.io:viewer", "view",
                        "osmhub.io:tenant-editor", "edit",
                        "osmhub.io:operator", "admin"));
    }

    @Test
    void theImageRunsAsTheUserOfTheDeployment() {
        JsonNode security = ShippedManifests.management().stream()
                .filter(object -> object.path("kind").asText().equals("Deployment"))
                .findFirst()
                .orElseThrow()
                .at("/spec/template/spec/securityContext");

        assertThat(ManifestObjects.text(ShippedManifests.FOLDER.resolve("../image/layout")))
                .contains("User: \"" + security.path("runAsUser").asInt() + ":"
                        + security.path("runAsGroup").asInt() + "\"");
    }

    private static Stream<JsonNode> rules(JsonNode role) {
        return role.path("rules").valueStream();
    }

    private static List<String> names(JsonNode rule, String field) {
        return rule.path(field).valueStream().map(JsonNode::asText).toList();
    }
}

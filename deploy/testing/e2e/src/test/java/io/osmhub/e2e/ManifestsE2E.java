package io.osmhub.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import io.osmhub.e2e.cluster.RealClusters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A real API server takes the manifests as they are, and lets their Pod run where only restricted ones may. It refuses
 * fields that it does not know, because they are applied by the server.
 */
final class ManifestsE2E {
    @RegisterExtension
    static final RealClusters CLUSTERS = RealClusters.withWorkers(1);

    private final RealCluster management = CLUSTERS.management();

    @BeforeAll
    static void apply() {
        ShippedManifests.management().forEach(CLUSTERS.management().admin()::apply);
        ShippedManifests.worker().forEach(CLUSTERS.worker(1).admin()::apply);
    }

    @Test
    void applyingThemAgainChangesNothing() {
        for (ObjectNode object : ShippedManifests.management()) {
            JsonNode before = management.admin().stored(object);

            JsonNode after = management.admin().apply(object);

            assertThat(after.path("metadata").path("resourceVersion"))
                    .as("%s %s", object.path("kind").asText(), ManifestObjects.name(object))
                    .isEqualTo(before.path("metadata").path("resourceVersion"));
        }
    }

    @Test
    void thePodRunsInANamespaceForRestrictedOnes() {
        JsonNode template = ShippedManifests.management().stream()
                .filter(object -> object.path("kind").asText().equals("Deployment"))
                .findFirst()
                .orElseThrow()
                .at("/spec/template");
        ObjectNode pod = ManifestObjects.object("""
                {apiVersion: v1, kind: Pod, metadata: {name: hub, namespace: osm-hub}}""");
        pod.set("spec", template.path("spec"));

        JsonNode accepted = management.admin().dryRun(pod);

        assertThat(accepted.at("/spec/securityContext/runAsNonRoot").asBoolean())
                .isTrue();
        assertThat(accepted.at("/spec/containers/0/securityContext/readOnlyRootFilesystem")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void theNamespaceRefusesAPodThatIsNotRestricted() {
        ObjectNode pod = ManifestObjects.object("""
                apiVersion: v1
                kind: Pod
                metadata: {name: other, namespace: osm-hub}
                spec: {serviceAccountName: osm-hub, containers: [{name: other, image: other}]}
                """);

        assertThatThrownBy(() -> management.admin().dryRun(pod))
                .hasMessageContaining("violates PodSecurity \"restricted");
    }
}

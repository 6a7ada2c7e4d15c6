package io.osmhub.demo.stage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.SimulationOptions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SimulatedFleetTest {
    private static final MachineDeploymentName WORKERS = new MachineDeploymentName("kube-system", "workers");

    private final SimulatedFleet stage = SimulatedFleet.build(SimulationOptions.defaults());
    private final SimulatedTenant tenant = stage.addTenant("amber", "worker-1");

    @AfterEach
    void stop() {
        stage.close();
    }

    @Test
    void registersATenantByALabelledSecretWithTheKubeconfig() {
        stage.register(tenant);

        List<ObjectNode> secrets = stage.management().objects().list("v1", "Secret", "amber");
        assertThat(secrets).hasSize(1);
        assertThat(secrets.getFirst()
                        .at("/metadata/labels/osmhub.io~1worker-cluster")
                        .asText())
                .isEqualTo("worker-1");
        assertThat(secrets.getFirst().at("/data/kubeconfig").asText()).isNotEmpty();
    }

    @Test
    void offersEveryProfileThatARecipeNames() {
        for (MachineFlavor recipe : MachineFlavor.ALL) {
            assertThat(stage.management()
                            .objects()
                            .get(
                                    "operatingsystemmanager.k8c.io/v1alpha1",
                                    "OperatingSystemProfile",
                                    SimulatedFleet.PROFILES,
                                    recipe.profile()))
                    .as(recipe.name())
                    .hasValueSatisfying(profile -> assertThat(
                                    profile.at("/spec/supportedCloudProviders").toString())
                            .contains(recipe.machineDeployment(WORKERS, 1)
                                    .at("/spec/template/spec/providerSpec/value/cloudProvider")
                                    .asText()));
        }
    }

    @Test
    void changesAProfileUnderANewVersionAndBack() {
        ObjectNode before = profile();

        String version = stage.addFile("osp-example", "/etc/more", "more\n");

        assertThat(version).isEqualTo("v1.0.1");
        assertThat(profile().at("/spec/version").asText()).isEqualTo("v1.0.1");
        assertThat(profile().at("/spec/provisioningConfig/files").toString()).contains("/etc/more");
        assertThat(stage.removeFile("osp-example", "/etc/more")).isEqualTo("v1.0.2");
        assertThat(profile().at("/spec/provisioningConfig")).isEqualTo(before.at("/spec/provisioningConfig"));
    }

    private ObjectNode profile() {
        return stage.management()
                .objects()
                .get(
                        "operatingsystemmanager.k8c.io/v1alpha1",
                        "OperatingSystemProfile",
                        SimulatedFleet.PROFILES,
                        "osp-example")
                .orElseThrow();
    }

    @Test
    void seesTheSecretsOfAWorkerClusterComeChangeAndGo() {
        SecretObserver sightings = SecretObserver.of(tenant.cluster());
        tenant.objects().create(MachineFlavor.UBUNTU_ON_AWS.machineDeployment(WORKERS, 1));
        assertThat(sightings.lastChange()).isEqualTo("created workers");
        secret(WORKERS.provisioningSecret());
        secret(WORKERS.bootstrapSecret());
        secret("somebody-elses");
        assertThat(sightings.secrets()).isEqualTo(2);
        assertThat(sightings.machineDeployments()).containsExactly("kube-system/workers");

        tenant.objects().delete("v1", "Secret", "cloud-init-settings", WORKERS.bootstrapSecret());

        assertThat(sightings.secrets()).isEqualTo(1);
        assertThat(sightings.lastChange()).isEqualTo("deleted workers");
    }

    private void secret(String name) {
        tenant.objects().create("""
                        {"apiVersion": "v1", "kind": "Secret", "metadata": {"namespace": "cloud-init-settings", "name": "%s"}}""".formatted(name));
    }
}

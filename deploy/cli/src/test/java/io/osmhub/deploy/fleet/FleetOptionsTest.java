package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetOptionsTest {
    @Test
    void aMissingKubeconfigOfTheEnvironmentIsReported(@TempDir Path folder) throws Exception {
        FleetOptions options = new FleetOptions.ManagementOptions();
        Path existing = Files.createFile(folder.resolve("kubeconfig"));

        assertThatThrownBy(() -> options.endpoint(Map.of("KUBECONFIG", "/nope"), line -> {}))
                .hasMessage("KUBECONFIG: /nope does not exist; correct or unset it");
        assertThat(options.endpoint(Map.of("KUBECONFIG", "/nope:" + existing), line -> {})
                        .kubeconfig())
                .isNull();
        assertThat(options.endpoint(Map.of("KUBECONFIG", "/nope", "OSM_HUB_SERVER", "https://hub"), line -> {})
                        .server())
                .isNotNull();
    }
}

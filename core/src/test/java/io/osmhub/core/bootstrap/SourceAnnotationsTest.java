package io.osmhub.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.machine.MachineDeployment;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SourceAnnotationsTest {
    @Test
    void hashesAnnotationsAsThePeer() {
        assertThat(SourceAnnotations.hash(new TreeMap<>(Map.of(MachineDeployment.PROFILE, "p"))))
                .isEqualTo("bc1064563aa4429509fb443cc458b8073a180dd8f85b42d3c34a80eaa0f7b7a0");
        assertThat(SourceAnnotations.hash(new TreeMap<>(
                        Map.of(MachineDeployment.PROFILE, "osp-ubuntu", MachineDeployment.REVISION, "1"))))
                .isEqualTo("240e92a138b73a540fc8f38a171c511995e6c10890b9af15f92f5a8b84136765");
    }

    @Test
    void noAnnotationsHashLikeGosNil() {
        // SHA-256 of the four letters null.
        assertThat(SourceAnnotations.hash(new TreeMap<>()))
                .isEqualTo("74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b");
    }

    @Test
    void namesRevisionHashAndVersion() {
        MachineDeployment machineDeployment =
                MachineDeployment.of("ns", "md", Map.of(MachineDeployment.REVISION, "7"), "1.34.2", null);

        assertThat(SourceAnnotations.of(machineDeployment, "v1.2.3").annotations())
                .containsEntry("k8c.io/machine-deployment-revision", "7")
                .containsEntry("k8c.io/osp-version", "v1.2.3")
                .containsOnlyKeys(
                        "k8c.io/machine-deployment-revision", "k8c.io/mdannotations-hash", "k8c.io/osp-version");
    }
}

package io.osmhub.workersync.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.fake.SimulatedServer;
import org.junit.jupiter.api.Test;

final class ApiFailureTest {
    /** As kube-apiserver 1.34 answers a creation. */
    @Test
    void aDefinitionThatIsBeingDeletedIsNoMissingPermission() {
        ApiFailure failure = SimulatedServer.status(
                403,
                "Forbidden",
                "workerclusters.osmhub.io \"shop\" is forbidden: create not allowed while custom resource definition is"
                        + " terminating");

        assertThat(failure.isForbidden()).isFalse();
        assertThat(failure.isTransient()).isTrue();
    }

    @Test
    void aMissingPermissionStaysUntilItIsGranted() {
        ApiFailure failure = SimulatedServer.status(
                403, "Forbidden", "workerclusters.osmhub.io is forbidden: User \"osm-hub\" cannot create resource");

        assertThat(failure.isForbidden()).isTrue();
        assertThat(failure.isTransient()).isFalse();
    }
}

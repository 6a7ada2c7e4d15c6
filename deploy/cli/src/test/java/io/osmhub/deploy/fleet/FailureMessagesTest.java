package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import org.junit.jupiter.api.Test;

final class FailureMessagesTest {
    @Test
    void aNamespaceThatDoesNotExistIsNamed() {
        ApiFailure failure =
                new ApiFailure(ApiFailureKind.ANSWERED, 404, "NotFound", "namespaces \"tenant-x\" not found", null);

        assertThat(FailureMessages.of(failure, "https://m.example.org"))
                .hasMessage("namespaces \"tenant-x\" not found at https://m.example.org; create the namespace or use"
                        + " another with -n");
    }

    @Test
    void adviceForTheManagementClusterIsNotGivenForAWorkerCluster() {
        String server = "https://w.example.org";

        assertThat(FailureMessages.ofWorker(
                        new ApiFailure(ApiFailureKind.ANSWERED, 403, "Forbidden", "secrets is forbidden", null),
                        server))
                .hasMessage("secrets is forbidden at the worker cluster " + server
                        + "; use a kubeconfig with permission for it");
        assertThat(FailureMessages.ofWorker(
                        new ApiFailure(ApiFailureKind.ANSWERED, 404, "NotFound", "not found", null), server))
                .hasMessage("not found at the worker cluster " + server);
    }
}

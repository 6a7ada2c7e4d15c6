package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import org.junit.jupiter.api.Test;

final class FailureMessagesTest {
    @Test
    void aNamespaceThatDoesNotExistIsNamed() {
        ApiFailure failure = new ApiFailure(
                ApiFailure.ApiFailureKind.ANSWERED, 404, "NotFound", "namespaces \"tenant-x\" not found", null);

        assertThat(FailureMessages.of(failure, "https://m.example.org"))
                .hasMessage("namespaces \"tenant-x\" not found at https://m.example.org; create the namespace or use"
                        + " another with -n");
    }
}

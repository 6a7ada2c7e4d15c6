package io.osmhub.api.schema;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a registration led to: the worker cluster as it is now, and the test that it had to pass.
 *
 * @param stored false after a dry run
 */
public record RegistrationResult(
        WorkerCluster workerCluster,
        TestReport test,
        @Nullable Boolean stored) {
    public RegistrationResult {
        Objects.requireNonNull(workerCluster, "workerCluster");
        Objects.requireNonNull(test, "test");
    }
}

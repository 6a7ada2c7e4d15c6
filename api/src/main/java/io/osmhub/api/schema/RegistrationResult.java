package io.osmhub.api.schema;

import org.jspecify.annotations.Nullable;

/**
 * Result of a registration: the current worker cluster and its connection test.
 *
 * @param stored false after a dry run
 */
public record RegistrationResult(
        WorkerClusterEntry workerCluster,
        TestReport test,
        @Nullable Boolean stored) {}

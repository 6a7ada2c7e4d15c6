package io.osmhub.tenancy.connection;

import io.osmhub.workersync.apiserver.KubeApi;
import org.jspecify.annotations.Nullable;

/**
 * A tested kubeconfig with the connection used.
 *
 * @param api usable until this is closed; null without an authenticated connection
 * @param connection to be closed with it
 */
public record TestedConnection(
        ConnectionTestReport report, @Nullable KubeApi api, Runnable connection) implements AutoCloseable {
    @Override
    public void close() {
        connection.run();
    }
}

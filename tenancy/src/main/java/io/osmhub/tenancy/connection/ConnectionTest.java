package io.osmhub.tenancy.connection;

import io.osmhub.workersync.apiserver.KubeApi;
import org.jspecify.annotations.Nullable;

/**
 * A kubeconfig that was tried, with the connection that it was tried on.
 *
 * @param api works until this is closed; null when there is no connection that is signed in
 * @param connection to be closed with it
 */
public record ConnectionTest(TestReport report, @Nullable KubeApi api, Runnable connection) implements AutoCloseable {
    @Override
    public void close() {
        connection.run();
    }
}

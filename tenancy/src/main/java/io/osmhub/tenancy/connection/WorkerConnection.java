package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import org.jspecify.annotations.Nullable;

/** The connection to one worker cluster. Thread-safe; only {@link #testKubeconfig} blocks. */
public interface WorkerConnection extends AutoCloseable {
    ConnectionStatus status();

    /**
     * Sets a new kubeconfig. While a connection is in use, the new one is verified first, and the old one remains if that fails.
     * Does nothing if the kubeconfig is unchanged.
     */
    void rotate(ValidatedKubeconfig kubeconfig);

    /**
     * Changes the timeouts, which are fixed for the lifetime of a verified connection: while one is in use, another with the same
     * kubeconfig is verified first, and the old one remains if that fails. Does nothing if they are unchanged.
     */
    void configure(ConnectionOptions options);

    /** Whether requests are sent with this kubeconfig. */
    boolean uses(ValidatedKubeconfig kubeconfig);

    /**
     * Tests another kubeconfig on a separate, temporary connection; blocks.
     *
     * @return why it is unusable, or lacks permissions; null if it is usable
     */
    @Nullable String testKubeconfig(ValidatedKubeconfig kubeconfig);

    /** Accepts another cluster, for example after it was rebuilt. */
    void acceptClusterId(String id);

    /** Retries immediately, without a connection. */
    void reconnect();

    /** Reviews permissions again, at a limited rate. */
    void reviewPermissions();

    /** Checks the connection after a failed request. */
    void onRequestFailed(ApiFailure failure);

    /** Requests succeed again. */
    void onRecovered();

    /** Final. Reports nothing afterwards. */
    @Override
    void close();
}

package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import org.jspecify.annotations.Nullable;

interface Connector {
    /**
     * Connects and verifies the connection. Blocks; call it on a virtual thread.
     *
     * @param observer called from event loops and callers' threads, also before this returns
     */
    VerifiedConnection connect(
            ConnectionSubject subject,
            ValidatedKubeconfig kubeconfig,
            ConnectionOptions options,
            ConnectionEventObserver observer)
            throws ConnectFailure;

    /** Must not block. */
    interface ConnectionEventObserver {
        /** Ignores everything. */
        ConnectionEventObserver NONE = new ConnectionEventObserver() {
            @Override
            public void onLost(boolean asked) {
                // The caller closes the connection.
            }

            @Override
            public void onRequestFinished(@Nullable ApiFailure failure) {
                // The attempt reports failures.
            }
        };

        /** The last open socket closed. {@code asked} if the server had announced it. */
        void onLost(boolean asked);

        /** @param failure null if the request succeeded */
        void onRequestFinished(@Nullable ApiFailure failure);
    }
}

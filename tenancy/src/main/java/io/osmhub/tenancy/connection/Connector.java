package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import org.jspecify.annotations.Nullable;

/** Makes connections. */
interface Connector {
    /**
     * Makes one and proves it; waits, so only on a virtual thread.
     *
     * @param observer called from event loops and callers' threads, also before this returns
     */
    Link open(VettedKubeconfig kubeconfig, ConnectionSubject subject, ConnectionOptions options, LinkObserver observer)
            throws ConnectFailure;

    /** Learns what happens on a link. Must not block. */
    interface LinkObserver {
        /** Nobody looks. */
        LinkObserver NOBODY = new LinkObserver() {
            @Override
            public void lost(boolean asked) {
                // Whoever opened the link closes it.
            }

            @Override
            public void requested(@Nullable ApiFailure failure) {
                // What fails comes out of the attempt.
            }
        };

        /** The last open socket is gone. {@code asked} when the server had announced it. */
        void lost(boolean asked);

        /** @param failure null when the request succeeded */
        void requested(@Nullable ApiFailure failure);
    }
}

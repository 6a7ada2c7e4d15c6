package io.osmhub.workersync.apiserver;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The current connection to an API server: replaced when its credential is rotated, absent while it is suspended. Read it for each
 * request, and keep no result of {@link #get}. Thread-safe.
 */
public final class CurrentConnection {
    private volatile @Nullable KubeApi kubeApi;
    private final AtomicInteger changes = new AtomicInteger();

    /** @param kubeApi null for none yet */
    public CurrentConnection(@Nullable KubeApi kubeApi) {
        this.kubeApi = kubeApi;
    }

    public void set(@Nullable KubeApi connection) {
        kubeApi = connection;
        changes.incrementAndGet();
    }

    /** Number of changes: what was learned from an earlier connection need not be true of this one. */
    int changes() {
        return changes.get();
    }

    public boolean isPresent() {
        return kubeApi != null;
    }

    /** @throws ApiFailure of kind {@code CLOSED} without a connection */
    public KubeApi get() throws ApiFailure {
        KubeApi connection = kubeApi;
        if (connection == null) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "not connected to the worker cluster");
        }
        return connection;
    }
}

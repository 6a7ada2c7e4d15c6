package io.osmhub.tenancy;

import io.osmhub.tenancy.link.WorkerLink;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.SyncListener;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Forwards a sync's failures to the link, and everything else to the next status.
 *
 * @param link returns the current link; null without one
 */
record SyncEventForwarder(Supplier<@Nullable WorkerLink> link, Runnable counted) implements SyncListener {
    @Override
    public void onStatusChanged() {
        counted.run();
    }

    @Override
    public void onRequestFailed(ApiFailure failure) {
        WorkerLink now = link.get();
        if (now != null) {
            now.onRequestFailed(failure);
        }
    }

    @Override
    public void onRecovered() {
        WorkerLink now = link.get();
        if (now != null) {
            now.onRecovered();
        }
    }
}

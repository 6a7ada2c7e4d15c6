package io.osmhub.tenancy;

import io.osmhub.tenancy.link.WorkerLink;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.SyncListener;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a sync's news to where they matter: failures to the link, everything else to the next status.
 *
 * @param link gives the link of the moment; null without
 */
record SyncNews(Supplier<@Nullable WorkerLink> link, Runnable counted) implements SyncListener {
    @Override
    public void statusChanged() {
        counted.run();
    }

    @Override
    public void failed(ApiFailure failure) {
        WorkerLink now = link.get();
        if (now != null) {
            now.failed(failure);
        }
    }

    @Override
    public void recovered() {
        WorkerLink now = link.get();
        if (now != null) {
            now.recovered();
        }
    }
}

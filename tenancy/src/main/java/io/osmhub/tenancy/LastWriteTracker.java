package io.osmhub.tenancy;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Tracks the time of the last change in a worker cluster, across connections. Thread-safe. */
final class LastWriteTracker {
    private static final String TOKENS = "kube-system";

    private final Scheduler timers;
    private volatile @Nullable Instant at;

    LastWriteTracker(Scheduler timers) {
        this.timers = timers;
    }

    /** Null before the first change. */
    @Nullable Instant at() {
        return at;
    }

    /**
     * Wraps an API to record its writes. Events and token extensions are not recorded: extensions happen hourly, and a status
     * would be written for each.
     */
    KubeApi trackWrites(KubeApi api) {
        return new KubeApi() {
            @Override
            public byte[] send(ApiRequest request) throws ApiFailure {
                byte[] answer = api.send(request);
                if (request.verb().writes()
                        && request.resource() != Resource.EVENTS
                        && !request.namespace().equals(TOKENS)) {
                    at = timers.now();
                }
                return answer;
            }

            @Override
            public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
                return api.list(request, items);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLineHandler lines) {
                return api.watch(request, lines);
            }
        };
    }
}

package io.osmhub.tenancy;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Remembers when something was last changed in a worker cluster, over whichever connection. Safe for use by many threads. */
final class LastWrite {
    private static final String TOKENS = "kube-system";

    private final Timers timers;
    private volatile @Nullable Instant at;

    LastWrite(Timers timers) {
        this.timers = timers;
    }

    /** Null while nothing was. */
    @Nullable Instant at() {
        return at;
    }

    /**
     * The same API, with its writes noted. What is only told, by an Event, is no change, and neither is that a bootstrap token lasts
     * longer: it does so every hour, and a status that told of it would be written as often.
     */
    KubeApi noting(KubeApi api) {
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
            public byte[] list(ApiRequest request, ItemSplitter.Items items) throws ApiFailure, IOException {
                return api.list(request, items);
            }

            @Override
            public Watch watch(ApiRequest request, WatchLines lines) {
                return api.watch(request, lines);
            }
        };
    }
}

package io.osmhub.workersync;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The current connection: replaced on rotation, absent while the sync is suspended. */
final class SwitchableKubeApi implements KubeApi {
    private volatile @Nullable KubeApi current;

    void setApi(@Nullable KubeApi api) {
        current = api;
    }

    @Nullable KubeApi get() {
        return current;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        return connected().send(request);
    }

    @Override
    public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
        return connected().list(request, items);
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        KubeApi api = current;
        if (api == null) {
            // Lists and watches start only with a connection.
            throw new IllegalStateException("watch started without a connection");
        }
        return api.watch(request, lines);
    }

    private KubeApi connected() throws ApiFailure {
        KubeApi api = current;
        if (api == null) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, "not connected to the worker cluster");
        }
        return api;
    }
}

package io.osmhub.workersync;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The connection of the moment: another one after a rotation, none while the sync rests. */
final class CurrentApi implements KubeApi {
    private volatile @Nullable KubeApi current;

    void set(@Nullable KubeApi api) {
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
    public byte[] list(ApiRequest request, ItemSplitter.Items items) throws ApiFailure, IOException {
        return connected().list(request, items);
    }

    @Override
    public Watch watch(ApiRequest request, WatchLines lines) {
        KubeApi api = current;
        if (api == null) {
            // Lists and watches are begun with a connection in hand, never through this.
            throw new IllegalStateException("a watch without a connection");
        }
        return api.watch(request, lines);
    }

    private KubeApi connected() throws ApiFailure {
        KubeApi api = current;
        if (api == null) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.CLOSED, "not connected to the worker cluster");
        }
        return api;
    }
}

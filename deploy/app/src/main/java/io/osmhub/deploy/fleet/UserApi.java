package io.osmhub.deploy.fleet;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;

/** A user's requests, whose writes must not be attributed to the service. */
record UserApi(KubeApi api) implements KubeApi {
    private static final String FIELD_MANAGER = "osm-hub-cli";

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        if (!request.query().containsKey("fieldManager")) {
            return api.send(request);
        }
        SortedMap<String, String> query = new TreeMap<>(request.query());
        query.put("fieldManager", FIELD_MANAGER);
        return api.send(new ApiRequest(
                request.verb(),
                request.resource(),
                request.namespace(),
                request.name(),
                request.subresource(),
                query,
                request.contentType(),
                request.body()));
    }

    @Override
    public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
        return api.list(request, items);
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        return api.watch(request, lines);
    }
}

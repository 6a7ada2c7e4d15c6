package io.osmhub.tenancy.lease;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * An API server to which nothing is written while this replica may not: another one may have taken over. Reads go on, so that
 * the caches are right when it may again.
 */
public final class FencedApi implements KubeApi {
    private final KubeApi api;
    private final BooleanSupplier mayWrite;
    private final Runnable fenced;

    /** @param fenced is told of each write that was held back */
    public FencedApi(KubeApi api, BooleanSupplier mayWrite, Runnable fenced) {
        this.api = api;
        this.mayWrite = mayWrite;
        this.fenced = fenced;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        if (request.verb().writes() && !mayWrite.getAsBoolean()) {
            fenced.run();
            throw ApiFailure.noAnswer(
                    ApiFailure.Cause.CLOSED, "this replica could not renew its Lease and writes nothing");
        }
        return api.send(request);
    }

    @Override
    public byte[] list(ApiRequest request, ItemSplitter.Items items) throws ApiFailure, IOException {
        return api.list(request, items);
    }

    @Override
    public Watch watch(ApiRequest request, WatchLines lines) {
        return api.watch(request, lines);
    }
}

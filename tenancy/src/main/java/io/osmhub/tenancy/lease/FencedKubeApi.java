package io.osmhub.tenancy.lease;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Rejects writes while this replica may not write, because another one may serve its tenants. Reads continue, to keep the caches
 * current. The client checks again immediately before it sends ({@link #checkCurrentWrite}), because a write may wait for a busy
 * API server, or be repeated after a 429.
 */
public final class FencedKubeApi implements KubeApi {
    private static final ScopedValue<FencedKubeApi> CURRENT = ScopedValue.newInstance();

    private final KubeApi api;
    private final BooleanSupplier mayWrite;
    private final Runnable fenced;

    /** @param fenced called for each rejected write */
    public FencedKubeApi(KubeApi api, BooleanSupplier mayWrite, Runnable fenced) {
        this.api = api;
        this.mayWrite = mayWrite;
        this.fenced = fenced;
    }

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        if (!request.verb().writes()) {
            return api.send(request);
        }
        FencedKubeApi outer = CURRENT.orElse(this);
        FencedKubeApi all = outer == this ? this : new FencedKubeApi(api, () -> outer.allows() && allows(), fenced);
        check();
        return ScopedValue.where(CURRENT, all).call(() -> api.send(request));
    }

    /** Fails if the write that this thread is about to send may no longer be sent. */
    public static void checkCurrentWrite() throws ApiFailure {
        if (CURRENT.isBound()) {
            CURRENT.get().check();
        }
    }

    private boolean allows() {
        return mayWrite.getAsBoolean();
    }

    private void check() throws ApiFailure {
        if (!allows()) {
            fenced.run();
            throw ApiFailure.withoutResponse(
                    ApiFailure.ApiFailureKind.CLOSED, "this replica could not renew its Lease and writes nothing");
        }
    }

    @Override
    public byte[] list(ApiRequest request, ItemSplitter.ItemHandler items) throws ApiFailure, IOException {
        return api.list(request, items);
    }

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        return api.watch(request, lines);
    }

    /** Makes one tenant's writes fail while this replica may not write for it. */
    @FunctionalInterface
    public interface WriteFencing {
        KubeApi fence(KubeApi api, String namespace);
    }
}

package io.osmhub.tenancy.lease;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ItemSplitter;
import io.osmhub.workersync.apiserver.KubeApi;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Rejects writes while this replica may not write, because another one may serve its tenants. Reads continue, to keep the caches
 * current. The client checks again immediately before it sends ({@link #sendCurrentWrite}), because a write may wait for a busy
 * API server, or be repeated after a 429.
 *
 * @param mayWrite false while this replica could not renew its Lease
 * @param served whether this replica serves a namespace; its tenant counts as started from then on
 * @param inFlight counts the writes until they are answered
 * @param onLeaseTooOld called for each write that is rejected because of {@code mayWrite}
 */
public record WriteFence(
        BooleanSupplier mayWrite, Predicate<String> served, InFlightWrites inFlight, Runnable onLeaseTooOld) {
    private static final ScopedValue<FencedWrite> CURRENT = ScopedValue.newInstance();

    private record FencedWrite(WriteFence fence, String namespace) {
        void check() throws ApiFailure {
            if (!fence.mayWrite.getAsBoolean()) {
                fence.onLeaseTooOld.run();
                throw rejected("this replica could not renew its Lease and writes nothing");
            }
            if (!namespace.isEmpty() && !fence.served.test(namespace)) {
                throw rejected("this replica no longer serves the tenant and writes nothing for it");
            }
        }

        private static ApiFailure rejected(String cause) {
            return ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, cause);
        }
    }

    /** A cluster whose objects belong to the tenants of their namespaces, cluster-wide ones to all replicas. */
    public KubeApi ofManagement(KubeApi api) {
        return new FencedKubeApi(api, ApiRequest::namespace);
    }

    /** A cluster whose objects belong to the tenant of a namespace. */
    public KubeApi ofTenant(KubeApi api, String namespace) {
        return new FencedKubeApi(api, request -> namespace);
    }

    /** Also rejects writes for tenants while a condition is not met. */
    public WriteFence onlyWhile(BooleanSupplier condition) {
        return new WriteFence(
                mayWrite, namespace -> condition.getAsBoolean() && served.test(namespace), inFlight, onLeaseTooOld);
    }

    /** Sends what this thread is about to send, unless it is a write that may no longer be sent. */
    public static <T> T sendCurrentWrite(ScopedValue.CallableOp<T, ApiFailure> request) throws ApiFailure {
        if (!CURRENT.isBound()) {
            return request.call();
        }
        FencedWrite write = CURRENT.get();
        // Counted before the check, or one that passes it could be sent after others were told.
        write.fence.inFlight.begin(write.namespace);
        try {
            write.check();
            return request.call();
        } finally {
            write.fence.inFlight.end(write.namespace);
        }
    }

    private final class FencedKubeApi implements KubeApi {
        private final KubeApi api;
        private final Function<ApiRequest, String> tenant;

        FencedKubeApi(KubeApi api, Function<ApiRequest, String> tenant) {
            this.api = api;
            this.tenant = tenant;
        }

        @Override
        public byte[] send(ApiRequest request) throws ApiFailure {
            if (!request.verb().writes()) {
                return api.send(request);
            }
            FencedWrite write = new FencedWrite(WriteFence.this, tenant.apply(request));
            write.check();
            return ScopedValue.where(CURRENT, write).call(() -> api.send(request));
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
}

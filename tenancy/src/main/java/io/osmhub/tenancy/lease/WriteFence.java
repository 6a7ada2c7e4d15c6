package io.osmhub.tenancy.lease;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.RequestInfo;
import io.osmhub.workersync.apiserver.WriteGuard;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Rejects writes while this replica may not write, because another one may serve its tenants. Reads continue, to keep the caches
 * current.
 *
 * @param mayWrite false while this replica could not renew its Lease
 * @param served whether this replica serves a namespace; its tenant counts as started from then on
 * @param inFlight counts the writes until they are answered
 * @param onLeaseTooOld called for each write that is rejected because of {@code mayWrite}
 */
public record WriteFence(
        BooleanSupplier mayWrite, Predicate<String> served, InFlightWrites inFlight, Runnable onLeaseTooOld) {
    /** Guards the writes of the tenants that own the objects. */
    private record TenantGuard(WriteFence fence, Function<RequestInfo, String> tenant) implements WriteGuard {
        /** Counted before the check, or one that passes it could be sent after others were told. */
        @Override
        public void onBegin(RequestInfo write) {
            fence.inFlight.begin(tenant.apply(write));
        }

        @Override
        public void check(RequestInfo write) throws ApiFailure {
            if (!fence.mayWrite.getAsBoolean()) {
                fence.onLeaseTooOld.run();
                throw rejected("this replica could not renew its Lease and writes nothing");
            }
            String namespace = tenant.apply(write);
            if (!namespace.isEmpty() && !fence.served.test(namespace)) {
                throw rejected("this replica no longer serves the tenant and writes nothing for it");
            }
        }

        @Override
        public void onEnd(RequestInfo write, boolean successful) {
            fence.inFlight.end(tenant.apply(write));
        }

        private static ApiFailure rejected(String cause) {
            return ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.CLOSED, cause);
        }
    }

    /** A cluster whose objects belong to the tenants of their namespaces, cluster-wide ones to all replicas. */
    public KubeApi ofManagement(KubeApi api) {
        return api.guardedBy(new TenantGuard(this, RequestInfo::namespace));
    }

    /** A cluster whose objects belong to the tenant of a namespace. */
    public KubeApi ofTenant(KubeApi api, String namespace) {
        return api.guardedBy(new TenantGuard(this, write -> namespace));
    }

    /** Also rejects writes for tenants while a condition is not met. */
    public WriteFence onlyWhile(BooleanSupplier condition) {
        return new WriteFence(
                mayWrite, namespace -> condition.getAsBoolean() && served.test(namespace), inFlight, onLeaseTooOld);
    }
}

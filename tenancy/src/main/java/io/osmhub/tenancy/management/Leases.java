package io.osmhub.tenancy.management;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads Leases. */
public final class Leases {
    /** Prefix of the holder of OSM's Lease while a hub holds it. */
    private static final String OSM_HOLDER = "osm-hub_";

    private Leases() {}

    /**
     * Reads a Lease; blocks.
     *
     * @return null if it does not exist; it has a resource version, the precondition of an update
     */
    public static @Nullable Lease find(KubeApi api, String namespace, String name) throws ApiFailure {
        Lease found = api.<@Nullable Lease>call(
                client -> client.leases().inNamespace(namespace).withName(name).get());
        if (found != null && (found.getMetadata() == null || found.getMetadata().getResourceVersion() == null)) {
            throw WireJson.unexpected("a Lease");
        }
        return found;
    }

    /** Empty if it was released. */
    public static String holder(Lease lease) {
        LeaseSpec spec = lease.getSpec();
        return Objects.requireNonNullElse(spec == null ? null : spec.getHolderIdentity(), "");
    }

    /** For how long others must observe no renewal before they may acquire it. */
    public static Duration duration(Lease lease, Duration otherwise) {
        Integer seconds = lease.getSpec() == null ? null : lease.getSpec().getLeaseDurationSeconds();
        return seconds == null ? otherwise : Duration.ofSeconds(seconds);
    }

    /** Null if it was never renewed. */
    public static @Nullable Instant renewTime(Lease lease) {
        ZonedDateTime time = lease.getSpec() == null ? null : lease.getSpec().getRenewTime();
        return time == null ? null : time.toInstant();
    }

    /**
     * Identity of a hub that holds OSM's Lease in a worker cluster.
     *
     * @param process unique among the hub's processes
     */
    public static String osmHolder(String hubId, String process) {
        return OSM_HOLDER + hubId + "_" + process;
    }

    /** Whether a holder of OSM's Lease is a hub. */
    public static boolean isHub(String holder) {
        return holder.startsWith(OSM_HOLDER);
    }
}

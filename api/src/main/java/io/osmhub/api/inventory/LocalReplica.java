package io.osmhub.api.inventory;

import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.peer.PeerReplicas.ReplicaDirectory;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.TenantDirectory;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** This replica as read by the inventory. Must not block. */
public interface LocalReplica extends ReplicaDirectory {
    @Override
    default boolean serves(String namespace) {
        return tenants().tenants().stream()
                .anyMatch(tenant -> tenant.namespace().equals(namespace));
    }

    /** The tenants served by this replica. */
    TenantDirectory tenants();

    /** Namespace of the profiles shared with all tenants. */
    String sharedProfileNamespace();

    /** Whether other tenants may use the profiles of a namespace. */
    boolean sharesProfiles(String namespace);

    /** Whether everything in the management cluster was read once. */
    boolean isReady();

    /** Version of the hub. */
    String version();

    /** Statistics of this replica's last hour; null if not recorded. */
    default @Nullable FleetStatistics figures() {
        return null;
    }

    /** Current problems of the hub itself or of its prerequisites in the management cluster, each once. */
    default List<HubCondition> hubConditions() {
        return List.of();
    }

    /**
     * A problem that belongs to no tenant.
     *
     * @param object affected object, such as the name of a CustomResourceDefinition
     * @param since null if unknown
     */
    record HubCondition(
            String object,
            Reason reason,
            String message,
            @Nullable Instant since) {
        /** Creates a condition with an unknown start. */
        public HubCondition(String object, Reason reason, String message) {
            this(object, reason, message, null);
        }
    }

    Instant now();

    /** Monotonic clock, in nanoseconds. */
    long nanoTime();
}

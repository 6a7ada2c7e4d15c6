package io.osmhub.api.inventory;

import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.peer.PeerReplicas.ReplicaDirectory;
import io.osmhub.core.problem.Problem;
import io.osmhub.tenancy.TenantView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** This replica as read by the inventory. Must not block. */
public interface LocalReplica extends ReplicaDirectory {
    @Override
    default boolean serves(String namespace) {
        return tenants().stream().anyMatch(tenant -> tenant.namespace().equals(namespace));
    }

    /** The tenants served by this replica. */
    List<TenantView> tenants();

    /** Empty if this replica does not serve it. */
    Optional<TenantView> tenant(String namespace, String name);

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
            String object, Problem problem, @Nullable Instant since) {
        /** Creates a condition with an unknown start. */
        public HubCondition(String object, Problem problem) {
            this(object, problem, null);
        }
    }

    Instant now();

    /** Monotonic clock, in nanoseconds. */
    long nanoTime();
}

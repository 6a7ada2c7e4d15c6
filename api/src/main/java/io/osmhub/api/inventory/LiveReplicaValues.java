package io.osmhub.api.inventory;

import io.osmhub.api.ops.FleetStatistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What only one replica knows, as the others receive it.
 *
 * @param statistics of its last hour; null if not recorded
 */
record LiveReplicaValues(FleetStatistics.@Nullable ReplicaStatistics statistics, List<LiveTenantValues> tenants) {}

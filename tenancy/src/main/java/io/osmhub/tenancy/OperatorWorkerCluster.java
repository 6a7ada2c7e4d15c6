package io.osmhub.tenancy;

import io.osmhub.tenancy.connection.StaticConnection.StaticWorkerCluster;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import org.jspecify.annotations.Nullable;

/**
 * The only worker cluster of a hub, configured by the operator instead of a kubeconfig Secret.
 *
 * @param worker connection to it
 * @param fixedRecord its WorkerCluster if the operator uses OSM's flags: it is not stored and has no status, its settings are the
 *     hub's defaults, and the hub requests nothing beyond the profiles and OperatingSystemConfigs of its namespace and what the
 *     settings refer to; null if it is stored as {@code local} in the hub's namespace
 */
public record OperatorWorkerCluster(
        StaticWorkerCluster worker, @Nullable WorkerClusterRecord fixedRecord) {}

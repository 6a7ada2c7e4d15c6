package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterRegistration;
import io.osmhub.core.model.Sensitive;
import org.jspecify.annotations.Nullable;

/**
 * Changes registrations, through the hub's API or in the management cluster, so that this works without a running hub. Blocks for
 * responses.
 */
public sealed interface RegistrationClient extends AutoCloseable permits HubClient, ManagementClient {
    WorkerClusterEntry workerCluster(String namespace, String name);

    /**
     * @param mustBeNew fail if it already exists
     * @param dryRun check only
     */
    RegistrationResult put(
            String namespace, String name, WorkerClusterRegistration registration, boolean mustBeNew, boolean dryRun);

    /** @param patch JSON merge patch of {@code labels} and {@code spec} */
    WorkerClusterEntry patch(String namespace, String name, JsonNode patch);

    /** @param retain keep the hub's objects in the worker cluster */
    WorkerClusterEntry remove(String namespace, String name, boolean retain);

    /** @param kubeconfig null for the stored one */
    TestReport test(String namespace, String name, @Nullable Sensitive kubeconfig);

    RegistrationResult rotate(String namespace, String name, Sensitive kubeconfig, boolean scoped);

    /** Requests a new token of the hub's own account. */
    WorkerClusterEntry renew(String namespace, String name);

    /** The server, and the kubeconfig context that selected it, for messages. */
    String describe();

    @Override
    void close();
}

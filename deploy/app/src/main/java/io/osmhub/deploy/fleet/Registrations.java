package io.osmhub.deploy.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.api.schema.WorkerClusterRegistration;
import io.osmhub.core.model.Sensitive;
import org.jspecify.annotations.Nullable;

/** Changes what is registered, with the rights of whoever runs the command. Everything waits for answers. */
public interface Registrations {
    /** @param mustBeNew fails when it is there already */
    RegistrationResult put(String namespace, String name, WorkerClusterRegistration registration, boolean mustBeNew)
            throws FleetFailure;

    /** @param patch JSON merge patch of {@code labels} and {@code spec} */
    WorkerCluster patch(String namespace, String name, JsonNode patch) throws FleetFailure;

    /** @param retain leaves what the hub wrote in the worker cluster */
    WorkerCluster remove(String namespace, String name, boolean retain) throws FleetFailure;

    /** @param kubeconfig null for the stored one */
    TestReport test(String namespace, String name, @Nullable Sensitive kubeconfig) throws FleetFailure;

    RegistrationResult rotate(String namespace, String name, Sensitive kubeconfig, boolean scoped) throws FleetFailure;

    /** Asks for a new token of the hub's own account. */
    WorkerCluster renew(String namespace, String name) throws FleetFailure;
}

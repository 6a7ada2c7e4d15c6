package io.osmhub.tenancy.connection;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The owner of a connection, for messages and logs.
 *
 * @param tenant namespace of the WorkerCluster
 * @param workerCluster its name
 * @param secret name of the Secret with its kubeconfig, in the same namespace
 * @param apiServerUrl where the WorkerCluster says that nodes find the API server; empty if it does not, or if that does not matter
 */
public record ConnectionSubject(String tenant, String workerCluster, String secret, String apiServerUrl) {
    public ConnectionSubject(String tenant, String workerCluster, String secret) {
        this(tenant, workerCluster, secret, "");
    }

    /** @param settings the {@code spec} of the WorkerCluster; missing if there is none */
    public static ConnectionSubject of(String tenant, String workerCluster, String secret, JsonNode settings) {
        return new ConnectionSubject(
                tenant,
                workerCluster,
                secret,
                settings.at("/provisioning/bootstrap/apiServerURL").asText(""));
    }

    /** The Secret as named in messages. */
    String secretPath() {
        return tenant + "/" + secret;
    }
}

package io.osmhub.tenancy.connection;

/**
 * The owner of a connection, for messages and logs.
 *
 * @param tenant namespace of the WorkerCluster
 * @param workerCluster its name
 * @param secret name of the Secret with its kubeconfig, in the same namespace
 */
public record ConnectionSubject(String tenant, String workerCluster, String secret) {
    /** The Secret as named in messages. */
    String secretPath() {
        return tenant + "/" + secret;
    }
}

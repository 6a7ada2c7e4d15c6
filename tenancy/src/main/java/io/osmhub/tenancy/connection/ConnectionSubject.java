package io.osmhub.tenancy.connection;

/**
 * Whose connection it is, for messages and logs.
 *
 * @param tenant namespace of the WorkerCluster
 * @param workerCluster its name
 * @param secret name of the Secret with its kubeconfig, in the same namespace
 */
public record ConnectionSubject(String tenant, String workerCluster, String secret) {
    /** As messages name the Secret. */
    String secretPath() {
        return tenant + "/" + secret;
    }
}

package io.osmhub.tenancy.registry;

/**
 * Well-known Secrets that register a worker cluster without a label.
 *
 * @param kkp {@code internal-admin-kubeconfig} of Kubermatic's {@code cluster-*} namespaces
 * @param clusterApi {@code <cluster>-kubeconfig} of Cluster API
 */
public record SecretDiscovery(boolean kkp, boolean clusterApi) {
    public static final SecretDiscovery LABELLED_ONLY = new SecretDiscovery(false, false);
}

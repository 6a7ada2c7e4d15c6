package io.osmhub.tenancy.registry;

/**
 * Which well-known Secrets register a worker cluster beside the labelled ones.
 *
 * @param kkp {@code internal-admin-kubeconfig} of Kubermatic's {@code cluster-*} namespaces
 * @param clusterApi {@code <cluster>-kubeconfig} of Cluster API
 */
public record Discovery(boolean kkp, boolean clusterApi) {
    public static final Discovery LABELLED_ONLY = new Discovery(false, false);
}

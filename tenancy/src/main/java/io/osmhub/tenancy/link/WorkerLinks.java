package io.osmhub.tenancy.link;

import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;

/** Opens the ways to worker clusters. */
@FunctionalInterface
public interface WorkerLinks {
    /**
     * What a link is for.
     *
     * @param tenant namespace
     * @param secret name of the Secret with the kubeconfig, in the same namespace
     * @param clusterId UID of the worker's {@code kube-system} as it is known or accepted; empty when any is right
     */
    record Opening(
            String tenant,
            String workerCluster,
            String secret,
            VettedKubeconfig kubeconfig,
            TenantSettings.Connection settings,
            String clusterId) {}

    /**
     * Begins to connect and returns at once.
     *
     * @param changed called when the state is another: hands over and returns
     */
    WorkerLink open(Opening opening, Runnable changed);
}

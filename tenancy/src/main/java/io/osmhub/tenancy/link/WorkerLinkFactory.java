package io.osmhub.tenancy.link;

import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;

@FunctionalInterface
public interface WorkerLinkFactory {
    /**
     * @param tenant namespace
     * @param secret name of the Secret with the kubeconfig, in the same namespace
     * @param clusterId known or accepted UID of the worker's {@code kube-system}; empty to accept any
     */
    record LinkRequest(
            String tenant,
            String workerCluster,
            String secret,
            ValidatedKubeconfig kubeconfig,
            TenantSettings.Connection settings,
            String clusterId) {}

    /**
     * Starts connecting. Must not block.
     *
     * @param changed called when the state changed; must not block
     */
    WorkerLink open(LinkRequest opening, Runnable changed);
}

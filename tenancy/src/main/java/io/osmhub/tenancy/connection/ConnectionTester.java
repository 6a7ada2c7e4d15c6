package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;

/** Tests kubeconfigs without using them. */
@FunctionalInterface
public interface ConnectionTester {
    /**
     * Connects and checks everything that the hub needs. Blocks; call it on a virtual thread. Changes nothing.
     *
     * @param subject current or future owner of the kubeconfig
     * @return to be closed
     */
    TestedConnection test(ConnectionSubject subject, ValidatedKubeconfig kubeconfig);
}

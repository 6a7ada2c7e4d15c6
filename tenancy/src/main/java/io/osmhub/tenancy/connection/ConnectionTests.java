package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;

/** Tries kubeconfigs without taking them into use. */
@FunctionalInterface
public interface ConnectionTests {
    /**
     * Makes a connection and looks at everything that the hub needs; waits, so only on a virtual thread. Changes nothing.
     *
     * @param subject whose kubeconfig it is, or would be
     * @param egress which addresses it may have
     * @return to be closed
     */
    ConnectionTest test(ConnectionSubject subject, VettedKubeconfig kubeconfig, EgressPolicy egress);
}

package io.osmhub.tenancy.kubeconfig;

import java.io.IOException;

/** Reads files that an operator's kubeconfig names. Not used for tenants' kubeconfigs. */
@FunctionalInterface
public interface KubeconfigFileReader {
    /**
     * @param path as written in the kubeconfig; a relative one is relative to the kubeconfig's folder
     * @throws IOException if it cannot be read; its message is shown
     */
    String read(String path) throws IOException;
}

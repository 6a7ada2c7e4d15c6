package io.osmhub.tenancy.kubeconfig;

import java.io.IOException;

/** Reads the files that a kubeconfig of the operator names. Tenants' kubeconfigs are read without one. */
@FunctionalInterface
public interface FileContents {
    /**
     * The content of a file.
     *
     * @param path as written in the kubeconfig; a relative one counts from the kubeconfig's own folder
     * @throws IOException when it cannot be read; its message is shown
     */
    String read(String path) throws IOException;
}

package io.osmhub.core.bootstrap;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The API server as nodes reach it: one cluster of a kubeconfig.
 *
 * @param server its URL
 * @param fields all fields of the kubeconfig's cluster but the server, as JSON text, by name
 */
public record ApiServer(String server, SortedMap<String, String> fields) {
    static final String CA_DATA = "certificate-authority-data";

    public ApiServer {
        fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    /** The same API server under another URL. */
    public ApiServer at(String otherServer) {
        return new ApiServer(otherServer, fields);
    }
}

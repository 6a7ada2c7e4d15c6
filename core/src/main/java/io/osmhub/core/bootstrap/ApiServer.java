package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
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

    /** The API server's certificate authorities as PEM text; empty when it names none. */
    public String certificateAuthority() {
        String json = fields.get(CA_DATA);
        // JSON text of base64 has nothing to unescape.
        return json == null ? "" : new String(Base64.getDecoder().decode(json.substring(1, json.length() - 1)), UTF_8);
    }

    /** The same API server under another URL. */
    public ApiServer at(String otherServer) {
        return new ApiServer(otherServer, fields);
    }
}

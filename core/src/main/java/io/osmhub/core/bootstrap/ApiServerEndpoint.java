package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The API server as nodes reach it: one cluster of a kubeconfig. Immutable. */
public final class ApiServerEndpoint {
    static final String CA_DATA = "certificate-authority-data";

    private final String server;
    private final SortedMap<String, String> fields;
    /** Most of a kubeconfig is equal for all MachineDeployments of a cluster, so it is written only once. */
    private final String kubeconfigUpToToken;

    /**
     * @param server its URL
     * @param fields all fields of the kubeconfig's cluster but the server, as JSON text, by name
     * @throws IllegalArgumentException if YAML cannot represent one of them
     */
    public ApiServerEndpoint(String server, SortedMap<String, String> fields) {
        this.server = server;
        this.fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
        this.kubeconfigUpToToken = BootstrapKubeconfig.textUpToToken(server, this.fields);
    }

    public String server() {
        return server;
    }

    /** The API server's certificate authorities as PEM text; empty if none. */
    public String certificateAuthority() {
        String json = fields.get(CA_DATA);
        // JSON text of base64 needs no unescaping.
        return json == null ? "" : new String(Base64.getDecoder().decode(json.substring(1, json.length() - 1)), UTF_8);
    }

    SortedMap<String, String> fields() {
        return fields;
    }

    String kubeconfigUpToToken() {
        return kubeconfigUpToToken;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ApiServerEndpoint that && server.equals(that.server) && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return Objects.hash(server, fields);
    }

    @Override
    public String toString() {
        return "ApiServer[" + server + "]";
    }
}

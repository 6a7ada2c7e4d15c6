package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.model.Sensitive;
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
public record ApiServerEndpoint(String server, SortedMap<String, String> fields) {
    static final String CA_DATA = "certificate-authority-data";

    private static final String NAME = "c";

    /** @throws IllegalArgumentException if YAML cannot represent one of them */
    public ApiServerEndpoint {
        fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
        kubeconfig(server, fields, "");
    }

    /** The API server's certificate authorities as PEM text; empty if none. */
    public String certificateAuthority() {
        String json = fields.get(CA_DATA);
        // JSON text of base64 needs no unescaping.
        return json == null ? "" : new String(Base64.getDecoder().decode(json.substring(1, json.length() - 1)), UTF_8);
    }

    /** The kubeconfig with which a kubelet joins: one cluster, one user with a token. Its text is byte for byte the one of OSM. */
    public String bootstrapKubeconfig(Sensitive token) {
        return kubeconfig(server, fields, token.reveal());
    }

    private static String kubeconfig(String server, SortedMap<String, String> fields, String token) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", "v1").put("kind", "Config").put("current-context", NAME);
        ObjectNode cluster =
                json.putArray("clusters").addObject().put("name", NAME).putObject("cluster");
        fields.forEach((field, value) -> cluster.putRawValue(field, new RawValue(value)));
        cluster.put("server", server);
        json.putArray("contexts")
                .addObject()
                .put("name", NAME)
                .putObject("context")
                .put("cluster", NAME)
                .put("user", NAME);
        json.putArray("users").addObject().put("name", NAME).putObject("user").put("token", token);
        try {
            return GoString.text(SigsYamlEncoder.fromJson(GoString.bytes(json.toString())));
        } catch (GoCallException e) {
            throw new IllegalArgumentException("cannot be written as YAML: " + GoString.text(e.text()), e);
        }
    }

    @Override
    public String toString() {
        return "ApiServer[" + server + "]";
    }
}

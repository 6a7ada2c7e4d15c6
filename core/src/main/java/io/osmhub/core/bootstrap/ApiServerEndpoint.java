package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.model.Sensitive;
import java.util.Base64;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The API server as nodes reach it: one cluster of a kubeconfig. Equal to one with the same content. */
public final class ApiServerEndpoint {
    static final String CA_DATA = "certificate-authority-data";

    private static final String NAME = "c";

    private final String server;
    private final SortedMap<String, String> fields;
    /** The same for all tokens, of which every rendering has two. */
    private final String kubeconfigUpToToken;

    /**
     * @param server its URL
     * @param fields all fields of the kubeconfig's cluster but the server, as JSON text, by name
     * @throws IllegalArgumentException if YAML cannot represent one of them
     */
    public ApiServerEndpoint(String server, SortedMap<String, String> fields) {
        this.server = server;
        this.fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
        String kubeconfig = kubeconfigWithoutToken();
        this.kubeconfigUpToToken =
                kubeconfig.substring(0, kubeconfig.length() - userWithToken("").length());
    }

    public String server() {
        return server;
    }

    /** All fields but the server, as JSON text, by name. */
    public SortedMap<String, String> fields() {
        return fields;
    }

    /** The API server's certificate authorities as PEM text; empty if none. */
    public String certificateAuthority() {
        String json = fields.get(CA_DATA);
        // JSON text of base64 needs no unescaping.
        return json == null ? "" : new String(Base64.getDecoder().decode(json.substring(1, json.length() - 1)), UTF_8);
    }

    /** The kubeconfig with which a kubelet joins: one cluster, one user with a token. Its text is byte for byte the one of OSM. */
    public String bootstrapKubeconfig(Sensitive token) {
        return kubeconfigUpToToken + userWithToken(token.reveal());
    }

    private String kubeconfigWithoutToken() {
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
        json.putArray("users").addObject().put("name", NAME).putObject("user").put("token", "");
        try {
            return GoString.text(SigsYamlEncoder.fromJson(GoString.bytes(json.toString())));
        } catch (GoCallException e) {
            throw notYaml(e);
        }
    }

    /** The end of the kubeconfig, from the field {@code user}, whose lines are indented as below an item of a list. */
    private static String userWithToken(String token) {
        GoValue user = GoMap.of(Map.of(GoString.of("token"), GoString.of(token)));
        GoValue item = GoMap.of(Map.of(GoString.of("user"), user));
        try {
            String yaml = SigsYamlEncoder.marshal(GoMap.of(Map.of(GoString.of("item"), item)));
            return GoString.text(yaml.substring("item:\n".length()));
        } catch (GoCallException e) {
            throw notYaml(e);
        }
    }

    private static IllegalArgumentException notYaml(GoCallException e) {
        return new IllegalArgumentException("cannot be written as YAML: " + GoString.text(e.text()), e);
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

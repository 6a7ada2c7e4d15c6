package io.osmhub.core.bootstrap;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.emit.yaml.SigsYamlEncoder;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.model.Sensitive;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The kubeconfig with which a kubelet joins: one cluster, one user with a token. Its text is byte for byte the one of OSM. */
public final class BootstrapKubeconfig {
    private static final String NAME = "c";
    /** With sorted keys, the token is the last line. */
    private static final String TOKEN = "    token:";

    private BootstrapKubeconfig() {}

    public static String text(ApiServerEndpoint apiServer, Sensitive token) {
        // At its depth in the whole document, because a long text is folded by its column.
        GoValue users = map("users", map("user", map("token", GoString.of(token.reveal()))));
        String lines = yaml(() -> SigsYamlEncoder.marshal(users));
        return apiServer.kubeconfigUpToToken() + lines.substring(lines.indexOf(TOKEN));
    }

    private static GoValue map(String key, GoValue value) {
        return GoMap.of(Map.of(GoString.of(key), value));
    }

    /** The part common to all tokens. */
    static String textUpToToken(String server, SortedMap<String, String> fields) {
        SortedMap<String, String> cluster = new TreeMap<>(fields);
        cluster.put("server", JsonWriter.quote(server));
        StringBuilder json = new StringBuilder("{\"apiVersion\":\"v1\",\"clusters\":[{\"cluster\":{");
        cluster.forEach((field, value) -> json.append(json.charAt(json.length() - 1) == '{' ? "" : ",")
                .append(JsonWriter.quote(field))
                .append(':')
                .append(value));
        json.append("},\"name\":\"" + NAME + "\"}],\"contexts\":[{\"context\":{\"cluster\":\"" + NAME)
                .append("\",\"user\":\"" + NAME + "\"},\"name\":\"" + NAME + "\"}],\"current-context\":\"" + NAME)
                .append("\",\"kind\":\"Config\",\"users\":[{\"name\":\"" + NAME + "\",\"user\":{}}]}");
        String text = yaml(() -> SigsYamlEncoder.fromJson(GoString.bytes(json.toString())));
        return text.substring(0, text.lastIndexOf(" {}\n")) + "\n";
    }

    @FunctionalInterface
    private interface Yaml {
        String bytes() throws GoCallException;
    }

    private static String yaml(Yaml yaml) {
        try {
            return GoString.text(yaml.bytes());
        } catch (GoCallException e) {
            throw new IllegalArgumentException("cannot be written as YAML: " + GoString.text(e.text()), e);
        }
    }
}

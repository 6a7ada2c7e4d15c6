package io.osmhub.core.bootstrap;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.emit.yaml.SigsYaml;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.MapValue;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Value;
import io.osmhub.core.model.Sensitive;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The kubeconfig with which a kubelet joins: one cluster, one user with a token. Its text is the peer's, byte for byte. */
public final class BootstrapKubeconfig {
    private static final String NAME = "c";
    /** With keys sorted, the token is the last line. */
    private static final String TOKEN = "    token:";

    private BootstrapKubeconfig() {}

    public static String text(ApiServer apiServer, Sensitive token) {
        // As deep as in the whole, because a long text is folded by the column it is in.
        Value users = map("users", map("user", map("token", Str.of(token.reveal()))));
        String lines = yaml(() -> SigsYaml.marshal(users));
        return apiServer.kubeconfigUpToToken() + lines.substring(lines.indexOf(TOKEN));
    }

    private static Value map(String key, Value value) {
        return MapValue.of(Map.of(Str.of(key), value));
    }

    /** The part that all tokens share. */
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
        String text = yaml(() -> SigsYaml.fromJson(Str.bytes(json.toString())));
        return text.substring(0, text.lastIndexOf(" {}\n")) + "\n";
    }

    @FunctionalInterface
    private interface Yaml {
        String bytes() throws CallFailure;
    }

    private static String yaml(Yaml yaml) {
        try {
            return Str.text(yaml.bytes());
        } catch (CallFailure e) {
            throw new IllegalArgumentException("YAML has no place for it: " + Str.text(e.text()), e);
        }
    }
}

package io.osmhub.core.bootstrap;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.emit.yaml.SigsYaml;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.model.Sensitive;
import java.util.SortedMap;
import java.util.TreeMap;

/** The kubeconfig with which a kubelet joins: one cluster, one user with a token. Its text is the peer's, byte for byte. */
public final class BootstrapKubeconfig {
    private static final String NAME = "c";

    private BootstrapKubeconfig() {}

    public static String text(ApiServer apiServer, Sensitive token) {
        SortedMap<String, String> cluster = new TreeMap<>(apiServer.fields());
        cluster.put("server", JsonWriter.quote(apiServer.server()));
        StringBuilder json = new StringBuilder("{\"apiVersion\":\"v1\",\"clusters\":[{\"cluster\":{");
        cluster.forEach((field, value) -> json.append(json.charAt(json.length() - 1) == '{' ? "" : ",")
                .append(JsonWriter.quote(field))
                .append(':')
                .append(value));
        json.append("},\"name\":\"" + NAME + "\"}],\"contexts\":[{\"context\":{\"cluster\":\"" + NAME)
                .append("\",\"user\":\"" + NAME + "\"},\"name\":\"" + NAME + "\"}],\"current-context\":\"" + NAME)
                .append("\",\"kind\":\"Config\",\"users\":[{\"name\":\"" + NAME + "\",\"user\":{\"token\":")
                .append(JsonWriter.quote(token.reveal()))
                .append("}}]}");
        try {
            return SigsYaml.fromJson(json.toString());
        } catch (CallFailure e) {
            throw new IllegalStateException("own JSON is no JSON: " + e.text(), e);
        }
    }
}

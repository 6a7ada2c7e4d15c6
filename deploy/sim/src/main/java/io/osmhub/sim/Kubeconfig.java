package io.osmhub.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.certificate.CertifiedKey;
import io.osmhub.sim.json.JsonTrees;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes kubeconfigs for simulated clusters: JSON, which is YAML too. */
final class Kubeconfig {
    private Kubeconfig() {}

    static String withToken(String cluster, String url, String caPem, String token) {
        return text(cluster, url, caPem, JsonTrees.object().put("token", token));
    }

    static String withCertificate(String cluster, String url, String caPem, CertifiedKey client) {
        ObjectNode user = JsonTrees.object()
                .put("client-certificate-data", base64(client.certificatePem()))
                .put("client-key-data", base64(client.keyPem()));
        return text(cluster, url, caPem, user);
    }

    /** As {@code cluster-info} holds it: only the address and the authority. */
    static String withoutUser(String url, String caPem) {
        ObjectNode config = JsonTrees.object().put("apiVersion", "v1").put("kind", "Config");
        config.putArray("clusters")
                .addObject()
                .put("name", "")
                .putObject("cluster")
                .put("certificate-authority-data", base64(caPem))
                .put("server", url);
        config.putArray("contexts");
        config.putArray("users");
        return new String(JsonTrees.bytes(config.put("current-context", "")), StandardCharsets.UTF_8);
    }

    private static String text(String cluster, String url, String caPem, ObjectNode user) {
        ObjectNode config = JsonTrees.object().put("apiVersion", "v1").put("kind", "Config");
        config.putArray("clusters")
                .addObject()
                .put("name", cluster)
                .putObject("cluster")
                .put("server", url)
                .put("certificate-authority-data", base64(caPem));
        config.putArray("users").addObject().put("name", "user").set("user", user);
        config.putArray("contexts")
                .addObject()
                .put("name", cluster)
                .putObject("context")
                .put("cluster", cluster)
                .put("user", "user");
        return new String(JsonTrees.bytes(config.put("current-context", cluster)), StandardCharsets.UTF_8);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}

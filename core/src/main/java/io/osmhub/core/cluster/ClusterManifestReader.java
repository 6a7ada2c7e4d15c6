package io.osmhub.core.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.cluster.ObjectLookup.Secret;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads manifests, as printed by {@code kubectl get -o yaml}. Kinds that rendering does not need are ignored. */
public final class ClusterManifestReader {
    private static final String REASON = "ObjectInvalid";
    private static final int MAX_PORT = 65_535;

    private final String defaultNamespace;
    private final ClusterSnapshot.Builder objects = new ClusterSnapshot.Builder();

    /** @param defaultNamespace of objects without a namespace */
    public ClusterManifestReader(String defaultNamespace) {
        this.defaultNamespace = defaultNamespace;
    }

    /**
     * Adds one object.
     *
     * @throws io.osmhub.core.problem.TenantMistake with every mistake of the object; no message contains a value
     */
    public void read(SourceDocument document) {
        FindingsCollector mistakes = new FindingsCollector(document.source(), REASON);
        ObjectFieldReader root = ObjectFieldReader.of(document.root(), "", mistakes);
        switch (root.text("kind", "")) {
            case "Secret" -> secret(root);
            case "ConfigMap" -> configMap(root);
            case "ServiceAccount" -> serviceAccount(root);
            case "EndpointSlice" -> endpointSlice(root);
            default -> {
                // A dump of a namespace may contain any kind.
            }
        }
        mistakes.throwIfAny();
    }

    /** All objects read so far. */
    public ClusterSnapshot objects() {
        return objects.build();
    }

    private String namespace(ObjectFieldReader metadata) {
        return metadata.text("namespace", defaultNamespace);
    }

    private static void requireFirst(boolean first, ObjectFieldReader root, String name) {
        if (!first) {
            root.mistakes().add("metadata.name", "there is another " + root.text("kind", "") + " " + name, "keep one");
        }
    }

    private void secret(ObjectFieldReader root) {
        ObjectFieldReader metadata = root.requiredObject("metadata");
        Map<String, String> data = new TreeMap<>();
        root.textMap("data").forEach((key, value) -> {
            try {
                data.put(key, decoded(value));
            } catch (IllegalArgumentException e) {
                root.mistakes()
                        .add("data[" + key + "]", "is not valid base64", "encode it, or put it under stringData");
            }
        });
        data.putAll(root.textMap("stringData"));
        String name = metadata.requiredText("name");
        Secret secret = new Secret(namespace(metadata), name, root.text("type", ""), new TreeMap<>(data));
        requireFirst(objects.add(secret, metadata.textMap("labels")), root, name);
    }

    /** Base64 may contain only line breaks, as for the API server. */
    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64.replace("\n", "").replace("\r", "")), UTF_8);
    }

    private void configMap(ObjectFieldReader root) {
        ObjectFieldReader metadata = root.requiredObject("metadata");
        String name = metadata.requiredText("name");
        requireFirst(objects.addConfigMap(namespace(metadata), name, root.textMap("data")), root, name);
    }

    private void serviceAccount(ObjectFieldReader root) {
        ObjectFieldReader metadata = root.requiredObject("metadata");
        String name = metadata.requiredText("name");
        List<String> secrets = root.objects("secrets", secret -> secret.text("name", ""));
        requireFirst(objects.addServiceAccount(namespace(metadata), name, secrets), root, name);
    }

    private void endpointSlice(ObjectFieldReader root) {
        ObjectFieldReader metadata = root.requiredObject("metadata");
        boolean ofApiServer = namespace(metadata).equals("default")
                && "kubernetes".equals(metadata.textMap("labels").get("kubernetes.io/service-name"));
        if (!ofApiServer) {
            return;
        }
        List<EndpointSlice.Port> ports = root.objects(
                "ports", port -> new EndpointSlice.Port(port.text("name", ""), port.integer("port", 1, MAX_PORT)));
        List<EndpointSlice.Endpoint> endpoints = root.objects(
                "endpoints",
                endpoint -> new EndpointSlice.Endpoint(
                        endpoint.texts("addresses"),
                        endpoint.objectOrEmpty("conditions").bool("ready")));
        objects.add(new EndpointSlice(ports, endpoints));
    }
}

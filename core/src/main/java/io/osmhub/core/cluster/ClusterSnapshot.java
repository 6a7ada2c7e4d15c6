package io.osmhub.core.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A set of objects, for rendering without a cluster, read from manifests as {@code kubectl get -o yaml} prints them. Management and
 * worker cluster are the same. Not thread-safe until all are added.
 */
public final class ClusterSnapshot implements ObjectLookup {
    private static final String TOKEN = "token";
    private static final int MAX_PORT = 65_535;

    private final String defaultNamespace;

    // By namespace and name, see key().
    private final Map<String, Secret> secrets = new TreeMap<>();
    private final Map<String, String> tokenLabels = new TreeMap<>();
    private final Map<String, Map<String, String>> configMaps = new TreeMap<>();
    private final Map<String, List<String>> serviceAccounts = new TreeMap<>();
    private final List<EndpointSlice> endpointSlices = new ArrayList<>();

    /** @param defaultNamespace of objects without a namespace */
    public ClusterSnapshot(String defaultNamespace) {
        this.defaultNamespace = defaultNamespace;
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    /**
     * Adds one object. Kinds that rendering does not need are ignored: a dump of a namespace may contain any.
     *
     * @throws io.osmhub.core.problem.TenantMistake with every mistake of the object; no message contains a value
     */
    public void add(SourceDocument document) {
        FindingsCollector mistakes = new FindingsCollector(document.source(), Reason.SettingsInvalid);
        ObjectFieldReader root = ObjectFieldReader.of(document.root(), "", mistakes);
        String kind = root.text("kind", "");
        if (List.of("Secret", "ConfigMap", "ServiceAccount", "EndpointSlice").contains(kind)) {
            ObjectFieldReader metadata = root.requiredObject("metadata");
            String namespace = metadata.text("namespace", defaultNamespace);
            String name = metadata.requiredText("name");
            Map<String, String> labels = metadata.textMap("labels");
            String key = key(namespace, name);
            Object existing =
                    switch (kind) {
                        case "Secret" -> {
                            String label = labels.get(BootstrapToken.LABEL);
                            if (label != null && namespace.equals(ObjectNames.TOKEN_NAMESPACE)) {
                                tokenLabels.put(key, label);
                            }
                            yield secrets.putIfAbsent(
                                    key, new Secret(namespace, name, root.text("type", ""), secretData(root)));
                        }
                        case "ConfigMap" -> configMaps.putIfAbsent(key, root.textMap("data"));
                        case "ServiceAccount" ->
                            serviceAccounts.putIfAbsent(
                                    key, root.objects("secrets", secret -> secret.text("name", "")));
                        default -> {
                            // The API server's address inside the cluster.
                            if (namespace.equals("default")
                                    && "kubernetes".equals(labels.get("kubernetes.io/service-name"))) {
                                endpointSlices.add(endpointSlice(root));
                            }
                            yield null;
                        }
                    };
            if (existing != null) {
                mistakes.add("metadata.name", "there is another " + kind + " " + name, "keep one");
            }
        }
        mistakes.throwIfAny();
    }

    private static SortedMap<String, String> secretData(ObjectFieldReader root) {
        SortedMap<String, String> data = new TreeMap<>();
        root.textMap("data").forEach((key, value) -> {
            try {
                // As for the API server, base64 may contain only line breaks.
                String base64 = value.replace("\n", "").replace("\r", "");
                data.put(key, new String(Base64.getDecoder().decode(base64), UTF_8));
            } catch (IllegalArgumentException e) {
                root.mistakes()
                        .add("data[" + key + "]", "is not valid base64", "encode it, or put it under stringData");
            }
        });
        data.putAll(root.textMap("stringData"));
        return data;
    }

    private static EndpointSlice endpointSlice(ObjectFieldReader root) {
        List<Integer> https = new ArrayList<>();
        root.objects("ports", port -> {
            Integer number = port.integer("port", 1, MAX_PORT);
            return number != null && port.text("name", "").equals("https") && https.add(number);
        });
        List<String> ready = new ArrayList<>();
        root.objects("endpoints", endpoint -> {
            List<String> addresses = endpoint.texts("addresses");
            return endpoint.objectOrEmpty("conditions").bool("ready", false)
                    && !addresses.isEmpty()
                    && ready.add(addresses.getFirst());
        });
        return new EndpointSlice(https.isEmpty() ? null : https.getFirst(), ready);
    }

    @Override
    public @Nullable Secret secret(String namespace, String name) {
        return secrets.get(key(namespace, name));
    }

    @Override
    public @Nullable Map<String, String> configMap(String namespace, String name) {
        return configMaps.get(key(namespace, name));
    }

    /** The API server's address inside the cluster. */
    public List<EndpointSlice> endpointSlices() {
        return List.copyOf(endpointSlices);
    }

    /** The kubeconfig in {@code kube-public/cluster-info}, null if missing. */
    public @Nullable String clusterInfo() {
        Map<String, String> data = configMap("kube-public", "cluster-info");
        return data == null ? null : data.get("kubeconfig");
    }

    /** The token with which machines fetch their provisioning secret, null if missing. */
    public @Nullable Sensitive fetchToken() {
        Secret secret = secret(ObjectNames.SETTINGS_NAMESPACE, "cloud-init-getter-token");
        String token = secret == null ? null : secret.data().get(TOKEN);
        return token == null ? null : new Sensitive(token);
    }

    /** The token of a ServiceAccount, null if missing. */
    public @Nullable Sensitive serviceAccountToken(ServiceAccountName account) {
        for (String name : serviceAccounts.getOrDefault(key(account.namespace(), account.name()), List.of())) {
            Secret secret = secret(account.namespace(), name);
            if (secret != null && secret.type().equals("kubernetes.io/service-account-token")) {
                return new Sensitive(secret.data().getOrDefault(TOKEN, ""));
            }
        }
        return null;
    }

    /** The bootstrap tokens labelled for a MachineDeployment; more than one is a mistake. */
    public List<Sensitive> bootstrapTokens(ObjectNames names) {
        return tokenLabels.entrySet().stream()
                .filter(label -> label.getValue().equals(names.key()))
                .map(label -> secrets.get(label.getKey()))
                .map(secret -> new Sensitive(secret.data().getOrDefault("token-id", "") + "."
                        + secret.data().getOrDefault("token-secret", "")))
                .toList();
    }
}

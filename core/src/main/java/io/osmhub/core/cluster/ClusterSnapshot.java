package io.osmhub.core.cluster;

import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A set of objects, for rendering without a cluster. Management and worker cluster are the same. Immutable. */
public final class ClusterSnapshot implements ObjectLookup, ReferenceResolver {
    public static final ClusterSnapshot NONE = new Builder().build();

    private static final String SERVICE_ACCOUNT_TOKEN = "kubernetes.io/service-account-token";
    private static final String TOKEN = "token";

    private final Map<Key, Secret> secrets;
    private final Map<Key, String> tokenLabels;
    private final Map<Key, Map<String, String>> configMaps;
    private final Map<Key, List<String>> serviceAccounts;
    private final List<EndpointSlice> endpointSlices;

    private ClusterSnapshot(Builder builder) {
        this.secrets = new TreeMap<>(builder.secrets);
        this.tokenLabels = new TreeMap<>(builder.tokenLabels);
        this.configMaps = new TreeMap<>(builder.configMaps);
        this.serviceAccounts = new TreeMap<>(builder.serviceAccounts);
        this.endpointSlices = List.copyOf(builder.endpointSlices);
    }

    private record Key(String namespace, String name) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = namespace.compareTo(other.namespace);
            return order != 0 ? order : name.compareTo(other.name);
        }
    }

    @Override
    public @Nullable Secret secret(String namespace, String name) {
        return secrets.get(new Key(namespace, name));
    }

    @Override
    public @Nullable Map<String, String> configMap(String namespace, String name) {
        return configMaps.get(new Key(namespace, name));
    }

    @Override
    public ResolveResult resolve(Reference reference) {
        Map<String, String> data =
                switch (reference.kind()) {
                    case SECRET -> {
                        Secret secret = secret(reference.namespace(), reference.name());
                        yield secret == null ? null : secret.data();
                    }
                    case CONFIG_MAP -> configMap(reference.namespace(), reference.name());
                };
        if (data == null) {
            return new ResolveResult.NoObject();
        }
        String value = data.get(reference.key());
        return value == null ? new ResolveResult.NoKey() : new ResolveResult.Found(value);
    }

    /** The API server's address inside the cluster. */
    public List<EndpointSlice> endpointSlices() {
        return endpointSlices;
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
        for (String name : serviceAccounts.getOrDefault(new Key(account.namespace(), account.name()), List.of())) {
            Secret secret = secret(account.namespace(), name);
            if (secret != null && secret.type().equals(SERVICE_ACCOUNT_TOKEN)) {
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

    static final class Builder {
        private final Map<Key, Secret> secrets = new TreeMap<>();
        private final Map<Key, String> tokenLabels = new TreeMap<>();
        private final Map<Key, Map<String, String>> configMaps = new TreeMap<>();
        private final Map<Key, List<String>> serviceAccounts = new TreeMap<>();
        private final List<EndpointSlice> endpointSlices = new ArrayList<>();

        /** Returns false if the name already exists. */
        boolean add(Secret secret, Map<String, String> labels) {
            Key key = new Key(secret.namespace(), secret.name());
            String label = labels.get(BootstrapToken.LABEL);
            if (label != null && secret.namespace().equals(ObjectNames.TOKEN_NAMESPACE)) {
                tokenLabels.put(key, label);
            }
            return secrets.putIfAbsent(key, secret) == null;
        }

        boolean addConfigMap(String namespace, String name, Map<String, String> data) {
            return configMaps.putIfAbsent(new Key(namespace, name), new TreeMap<>(data)) == null;
        }

        /** {@code secrets} are the names of the account's Secrets. */
        boolean addServiceAccount(String namespace, String name, List<String> accountSecrets) {
            return serviceAccounts.putIfAbsent(new Key(namespace, name), List.copyOf(accountSecrets)) == null;
        }

        void add(EndpointSlice slice) {
            endpointSlices.add(slice);
        }

        ClusterSnapshot build() {
            return new ClusterSnapshot(this);
        }
    }
}

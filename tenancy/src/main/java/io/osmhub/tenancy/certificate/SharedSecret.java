package io.osmhub.tenancy.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One Secret of the hub's own namespace that all replicas watch, and write only as they have read it. */
final class SharedSecret {
    private final KubeApi kubeApi;
    private final String namespace;
    private final String name;
    private final ManagementStore<SecretContent> secretStore;

    /**
     * A Secret that is not watched yet.
     *
     * @param changed called after the first list, after each change and deletion, and when it can be watched again; must not block
     * @param failed called with the cause when it cannot be watched; must not block
     */
    SharedSecret(
            KubeApi kubeApi,
            String namespace,
            String name,
            Runnable changed,
            Consumer<String> failed,
            RuntimeContext runtimeContext) {
        this.kubeApi = kubeApi;
        this.namespace = namespace;
        this.name = name;
        this.secretStore = new ManagementStore<>(
                Selection.where(Resource.SECRETS, namespace, "metadata.name=" + name),
                SecretContent::of,
                (key, before, after, origin) -> changed.run(),
                new NoopListWatchListener() {
                    @Override
                    public void onSynced() {
                        changed.run();
                    }

                    @Override
                    public void onRecovered() {
                        if (isSynced()) {
                            changed.run();
                        }
                    }

                    @Override
                    public void onFailed(ApiFailure cause, int inARow) {
                        failed.accept(cause.text());
                    }

                    @Override
                    public void onAccessDenied(ApiFailure cause) {
                        failed.accept(cause.text());
                    }
                },
                runtimeContext);
    }

    void start() {
        secretStore.start(kubeApi);
    }

    void stop() {
        secretStore.stop();
    }

    boolean isSynced() {
        return secretStore.isSynced();
    }

    /** Null if there is none, or it is not synced. */
    @Nullable SecretContent find() {
        return secretStore.find(namespace, name);
    }

    /**
     * Stores other content. Blocks.
     *
     * @param replaces null if there is none yet
     * @throws ApiFailure also if another replica has written it since
     */
    void store(String type, Map<String, String> data, @Nullable SecretContent replaces) throws ApiFailure {
        SecretBuilder secret = new SecretBuilder()
                .withType(type)
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("app.kubernetes.io/managed-by", "osm-hub")
                .withResourceVersion(replaces == null ? null : replaces.resourceVersion())
                .endMetadata();
        data.forEach((key, value) -> secret.addToData(key, Base64.getEncoder().encodeToString(value.getBytes(UTF_8))));
        byte[] written = kubeApi.call(client -> {
            var request = client.secrets().resource(secret.build());
            return client.getKubernetesSerialization()
                    .asJson(replaces == null ? request.create() : request.update())
                    .getBytes(UTF_8);
        });
        try {
            secretStore.putWritten(written);
        } catch (IOException e) {
            throw WireJson.unexpected("a Secret");
        }
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }

    /** A stored Secret of the hub's namespace. Its {@code toString} omits values. */
    record SecretContent(String resourceVersion, Map<String, String> data) {
        static final String CERTIFICATE = "tls.crt";
        static final String KEY = "tls.key";

        SecretContent {
            data = Map.copyOf(data);
        }

        static SecretContent of(JsonNode secret) {
            Map<String, String> data = new LinkedHashMap<>();
            secret.path("data").properties().forEach(entry -> data.put(entry.getKey(), decoded(entry.getValue())));
            return new SecretContent(
                    secret.path("metadata").path("resourceVersion").asText(), data);
        }

        private static String decoded(JsonNode value) {
            try {
                return new String(Base64.getDecoder().decode(value.asText()), UTF_8);
            } catch (IllegalArgumentException e) {
                return "";
            }
        }

        /** Empty if the Secret does not have it. */
        String value(String key) {
            return data.getOrDefault(key, "");
        }

        /** @throws GeneralSecurityException if it contains no certificate with a matching key */
        CertificateKeyPair leaf() throws GeneralSecurityException {
            return CertificateKeyPair.read(value(CERTIFICATE), value(KEY));
        }

        @Override
        public String toString() {
            return "SecretContent[" + resourceVersion + "]";
        }
    }
}

package io.osmhub.tenancy.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.Resource;
import java.util.Base64;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A Secret of the management cluster that contains, or may contain, a kubeconfig.
 *
 * @param type {@code Opaque} if not set
 * @param data as in the API, values in base64
 */
public record KubeconfigSecret(ObjectMetadata head, String type, SortedMap<String, String> data) {
    /** Label whose value is the name of the WorkerCluster to register; if empty, the Secret's name is used. */
    public static final String LABEL = "osmhub.io/worker-cluster";

    /** Type of the Secrets that the API and the CLI write. */
    public static final String OWN_TYPE = "osmhub.io/kubeconfig";

    private static final String KEY = "kubeconfig";
    private static final String OTHER_KEY = "value";

    /** Of the namespaces in which KKP keeps the objects of one cluster. */
    static final String KKP_NAMESPACE_PREFIX = "cluster-";

    static final String CLUSTER_API_TYPE = "cluster.x-k8s.io/secret";
    static final String CLUSTER_API_SUFFIX = "-kubeconfig";

    public KubeconfigSecret {
        data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
    }

    public static KubeconfigSecret of(JsonNode object) {
        String type = object.path("type").asText();
        return new KubeconfigSecret(
                ObjectMetadata.of(object),
                type.isEmpty() ? "Opaque" : type,
                new TreeMap<>(ObjectMetadata.strings(object.path("data"))));
    }

    public String namespace() {
        return head.namespace();
    }

    public String name() {
        return head.name();
    }

    /** {@code named} by the WorkerCluster; null for the first default key that exists. */
    private String key(@Nullable String named) {
        return named != null ? named : !data.containsKey(KEY) && data.containsKey(OTHER_KEY) ? OTHER_KEY : KEY;
    }

    /** Key of the kubeconfig of a WorkerCluster; as if both default keys were missing if the Secret is null. */
    public static String key(WorkerClusterRecord workerCluster, @Nullable KubeconfigSecret secret) {
        WorkerClusterSpec spec = workerCluster.spec();
        String named = spec == null || spec.kubeconfigSecretRef() == null
                ? null
                : spec.kubeconfigSecretRef().key();
        return secret != null ? secret.key(named) : named == null ? KEY : named;
    }

    /** The request that replaces the kubeconfig; fails if the Secret changed since it was read. */
    public ApiRequest replacing(String key, Sensitive kubeconfig) {
        ObjectNode patch = WireJson.object();
        patch.putObject("metadata").put("uid", head.uid()).put("resourceVersion", head.resourceVersion());
        patch.putObject("data")
                .put(key, Base64.getEncoder().encodeToString(kubeconfig.reveal().getBytes(UTF_8)));
        return ApiRequest.patch(Resource.SECRETS, namespace(), name(), ApiRequest.MERGE_PATCH, WireJson.text(patch));
    }

    /** Omits the data. */
    @Override
    public String toString() {
        return "Secret " + namespace() + "/" + name();
    }
}

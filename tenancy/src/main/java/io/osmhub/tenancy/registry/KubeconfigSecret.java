package io.osmhub.tenancy.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.wire.ObjectHead;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A Secret of the management cluster that holds a kubeconfig, or may.
 *
 * @param type {@code Opaque} when the object says nothing
 * @param data as in the API, values in base64
 */
public record KubeconfigSecret(ObjectHead head, String type, SortedMap<String, String> data) {
    /** Label whose value is the name of the WorkerCluster to register; an empty one means the name of the Secret. */
    public static final String LABEL = "osmhub.io/worker-cluster";

    /** Type of the Secrets that the API and the CLI write. */
    public static final String OWN_TYPE = "osmhub.io/kubeconfig";

    static final String KKP_NAME = "internal-admin-kubeconfig";
    static final String KKP_NAMESPACE_PREFIX = "cluster-";
    static final String CLUSTER_API_TYPE = "cluster.x-k8s.io/secret";
    static final String CLUSTER_API_SUFFIX = "-kubeconfig";

    public KubeconfigSecret {
        data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
    }

    /** Reads the object. */
    public static KubeconfigSecret of(JsonNode object) {
        String type = object.path("type").asText();
        return new KubeconfigSecret(
                ObjectHead.of(object),
                type.isEmpty() ? "Opaque" : type,
                new TreeMap<>(ObjectHead.strings(object.path("data"))));
    }

    public String namespace() {
        return head.namespace();
    }

    public String name() {
        return head.name();
    }

    /** Without the data. */
    @Override
    public String toString() {
        return "Secret " + namespace() + "/" + name();
    }
}

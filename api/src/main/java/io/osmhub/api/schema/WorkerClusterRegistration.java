package io.osmhub.api.schema;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.resource.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody hands in to register a worker cluster, or to register it anew.
 *
 * @param kubeconfig needed for a new one; absent keeps the stored one
 * @param kubeconfigKey key of the Secret under which it is stored; absent means the usual one, or the one in use
 * @param scoped whether the hub stores a token of its own in its place; absent means false
 * @param skipTest whether to store what cannot be reached now; absent means false
 * @param labels of the WorkerCluster
 */
public record WorkerClusterRegistration(
        @Nullable Sensitive kubeconfig,
        @Nullable String kubeconfigKey,
        @Nullable Boolean scoped,
        @Nullable Boolean skipTest,
        @Nullable Map<String, String> labels,
        @Nullable WorkerClusterSettings spec) {
    public WorkerClusterRegistration {
        labels = Copies.of(labels);
    }
}

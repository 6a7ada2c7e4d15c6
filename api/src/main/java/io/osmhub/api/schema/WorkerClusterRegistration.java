package io.osmhub.api.schema;

import io.osmhub.core.model.Sensitive;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Request to register or update a worker cluster.
 *
 * @param kubeconfig required for a new one; absent keeps the stored one
 * @param kubeconfigKey key in its Secret; absent means the default, or the current one
 * @param scoped whether the hub stores a token that it creates instead; absent means false
 * @param skipTest whether to store an unreachable cluster; absent means false
 * @param labels of the WorkerCluster
 */
public record WorkerClusterRegistration(
        @Nullable Sensitive kubeconfig,
        @Nullable String kubeconfigKey,
        @Nullable Boolean scoped,
        @Nullable Boolean skipTest,
        @Nullable Map<String, String> labels,
        @Nullable WorkerClusterSettings spec) {}

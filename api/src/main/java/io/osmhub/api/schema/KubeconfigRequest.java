package io.osmhub.api.schema;

import io.osmhub.core.model.Sensitive;
import org.jspecify.annotations.Nullable;

/**
 * A kubeconfig to test or store.
 *
 * @param scoped for a rotation: store a token created by the hub instead; absent means false
 */
public record KubeconfigRequest(
        Sensitive kubeconfig, @Nullable Boolean scoped) {}

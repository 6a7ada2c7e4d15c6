package io.osmhub.api.schema;

import io.osmhub.core.model.Sensitive;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A kubeconfig that somebody hands in, to be tested or stored.
 *
 * @param scoped for a rotation: store a token of the hub's own in place of what is given; absent means false
 */
public record KubeconfigRequest(
        Sensitive kubeconfig, @Nullable Boolean scoped) {
    public KubeconfigRequest {
        Objects.requireNonNull(kubeconfig, "kubeconfig");
    }
}

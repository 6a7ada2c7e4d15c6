package io.osmhub.core.plan;

import io.osmhub.core.model.Sensitive;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A bootstrap token Secret in {@code kube-system}, as found.
 *
 * @param name of the Secret
 * @param id empty when the Secret has none
 * @param secret empty when the Secret has none
 * @param expiration null when it has none or one that is no time
 * @param label value of {@code machinedeployment.k8s.io/name}: the key of its MachineDeployment
 */
public record StoredToken(
        String name,
        String uid,
        String resourceVersion,
        String id,
        Sensitive secret,
        @Nullable Instant expiration,
        String label,
        Instant creationTimestamp,
        SortedMap<String, String> annotations,
        @Nullable String lastWriter) {
    public StoredToken {
        annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }
}

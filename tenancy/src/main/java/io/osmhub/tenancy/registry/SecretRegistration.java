package io.osmhub.tenancy.registry;

import io.osmhub.tenancy.wire.ObjectMetadata;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A Secret that requests to register a WorkerCluster. */
record SecretRegistration(KubeconfigSecret secret, String workerCluster, RegistrationSource by) {
    /** The older Secret registers first. */
    static final Comparator<SecretRegistration> OLDEST_FIRST = Comparator.comparing((SecretRegistration registration) ->
                    registration.secret().head().creationTimestamp())
            .thenComparing(registration -> registration.secret().name());

    /** The Secret's request; null if there is none. A label takes precedence over a well-known name. */
    static @Nullable SecretRegistration of(KubeconfigSecret secret, SecretDiscovery discovery) {
        ObjectMetadata head = secret.head();
        if (head.isBeingDeleted()) {
            return null;
        }
        String label = head.labels().get(KubeconfigSecret.LABEL);
        if (label != null) {
            return new SecretRegistration(secret, label.isEmpty() ? head.name() : label, RegistrationSource.SECRET);
        }
        if (discovery.kkp()
                && head.name().equals(KubeconfigSecret.KKP_NAME)
                && head.namespace().startsWith(KubeconfigSecret.KKP_NAMESPACE_PREFIX)) {
            return new SecretRegistration(secret, head.namespace(), RegistrationSource.KKP);
        }
        String suffix = KubeconfigSecret.CLUSTER_API_SUFFIX;
        if (discovery.clusterApi()
                && secret.type().equals(KubeconfigSecret.CLUSTER_API_TYPE)
                && head.name().endsWith(suffix)
                && head.name().length() > suffix.length()) {
            String cluster = head.name().substring(0, head.name().length() - suffix.length());
            return new SecretRegistration(secret, cluster, RegistrationSource.CLUSTER_API);
        }
        return null;
    }
}

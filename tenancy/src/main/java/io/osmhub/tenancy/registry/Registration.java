package io.osmhub.tenancy.registry;

import io.osmhub.tenancy.wire.ObjectHead;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** That a Secret wants to be the kubeconfig of a WorkerCluster of a name. */
record Registration(KubeconfigSecret secret, String workerCluster, RegisteredBy by) {
    /** The older Secret registers first. */
    static final Comparator<Registration> OLDEST_FIRST = Comparator.comparing(
                    (Registration registration) -> registration.secret().head().creationTimestamp())
            .thenComparing(registration -> registration.secret().name());

    /** What a Secret asks for; null when it asks for nothing. A label says more than a name, so it is looked at first. */
    static @Nullable Registration of(KubeconfigSecret secret, Discovery discovery) {
        ObjectHead head = secret.head();
        if (head.beingDeleted()) {
            return null;
        }
        String label = head.labels().get(KubeconfigSecret.LABEL);
        if (label != null) {
            return new Registration(secret, label.isEmpty() ? head.name() : label, RegisteredBy.SECRET);
        }
        if (discovery.kkp()
                && head.name().equals(KubeconfigSecret.KKP_NAME)
                && head.namespace().startsWith(KubeconfigSecret.KKP_NAMESPACE_PREFIX)) {
            return new Registration(secret, head.namespace(), RegisteredBy.KKP);
        }
        String suffix = KubeconfigSecret.CLUSTER_API_SUFFIX;
        if (discovery.clusterApi()
                && secret.type().equals(KubeconfigSecret.CLUSTER_API_TYPE)
                && head.name().endsWith(suffix)
                && head.name().length() > suffix.length()) {
            String cluster = head.name().substring(0, head.name().length() - suffix.length());
            return new Registration(secret, cluster, RegisteredBy.CLUSTER_API);
        }
        return null;
    }
}

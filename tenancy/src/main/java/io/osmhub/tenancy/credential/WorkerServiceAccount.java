package io.osmhub.tenancy.credential;

import io.osmhub.core.schema.DurationFormat;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterSpec.Credentials.CredentialsMode;
import io.osmhub.core.workercluster.WorkerClusterSpec.ServiceAccountRef;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The hub's ServiceAccount in a worker cluster.
 *
 * @param lifetime requested for its tokens; the API server may grant less
 */
public record WorkerServiceAccount(String namespace, String name, Duration lifetime) {
    /** The default one. */
    public static final WorkerServiceAccount USUAL =
            new WorkerServiceAccount("kube-system", "osm-hub", Duration.ofDays(7));

    /** The one whose token a WorkerCluster uses; null if it uses the credential that was provided. */
    public static @Nullable WorkerServiceAccount scoped(@Nullable WorkerClusterSpec spec) {
        return spec == null || spec.credentials().mode() != CredentialsMode.SCOPED ? null : of(spec.credentials());
    }

    /** The one that a WorkerCluster configures. */
    public static WorkerServiceAccount of(WorkerClusterSpec.Credentials credentials) {
        ServiceAccountRef reference = credentials.serviceAccountRef();
        String life = credentials.tokenTTL();
        return new WorkerServiceAccount(
                reference == null ? USUAL.namespace : reference.namespace(),
                reference == null ? USUAL.name : reference.name(),
                life == null ? USUAL.lifetime : Objects.requireNonNullElse(DurationFormat.parse(life), USUAL.lifetime));
    }

    /** For messages, for example {@code kube-system/osm-hub}. */
    public String path() {
        return namespace + "/" + name;
    }

    /** Its user name. */
    public String user() {
        return "system:serviceaccount:" + namespace + ":" + name;
    }
}

package io.osmhub.tenancy.credential;

import io.osmhub.core.schema.DurationText;
import io.osmhub.core.workercluster.ServiceAccountRef;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import java.time.Duration;
import java.util.Objects;

/**
 * The ServiceAccount of a worker cluster that the hub signs in with, and how long each of its tokens is asked to last.
 *
 * @param life the API server may grant less
 */
public record WorkerAccount(String namespace, String name, Duration life) {
    /** The one that is shipped. */
    public static final WorkerAccount USUAL = new WorkerAccount("kube-system", "osm-hub", Duration.ofDays(7));

    /** The one that a WorkerCluster names. */
    public static WorkerAccount of(WorkerClusterSpec.Credentials credentials) {
        ServiceAccountRef reference = credentials.serviceAccountRef();
        String life = credentials.tokenTTL();
        return new WorkerAccount(
                reference == null ? USUAL.namespace : reference.namespace(),
                reference == null ? USUAL.name : reference.name(),
                life == null ? USUAL.life : Objects.requireNonNullElse(DurationText.parse(life), USUAL.life));
    }

    /** As messages name it, for example {@code kube-system/osm-hub}. */
    public String path() {
        return namespace + "/" + name;
    }

    /** Who it is to the API server. */
    public String user() {
        return "system:serviceaccount:" + namespace + ":" + name;
    }
}

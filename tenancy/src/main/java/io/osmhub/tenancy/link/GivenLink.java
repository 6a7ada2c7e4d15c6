package io.osmhub.tenancy.link;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A way that is there from the beginning and that the operator gave: to the management cluster itself, or to the one worker
 * cluster of the drop-in mode. It has no kubeconfig of a tenant, so there is nothing to rotate.
 */
public final class GivenLink implements WorkerLink {
    private final String tenant;
    private final String workerCluster;
    private final Worker worker;
    private final Instant since;
    private final Runnable changed;
    private volatile @Nullable ApiFailure trouble;

    /**
     * A worker cluster that the operator gave.
     *
     * @param clusterId UID of its {@code kube-system}; empty when it is not known
     * @param certificateAuthority of its API server, PEM; what nodes get unless the settings say something else
     */
    public record Worker(KubeApi api, String endpoint, String clusterId, String certificateAuthority) {}

    public GivenLink(String tenant, String workerCluster, Worker worker, Instant since, Runnable changed) {
        this.tenant = tenant;
        this.workerCluster = workerCluster;
        this.worker = worker;
        this.since = since;
        this.changed = changed;
    }

    @Override
    public LinkState state() {
        ApiFailure failure = trouble;
        boolean refused = failure != null && failure.isUnauthorized();
        return new LinkState(
                worker.api(),
                refused ? rejected() : diagnosis(Reason.CredentialsAccepted, Map.of("user", "the hub's own account")),
                failure == null || failure.why() == ApiFailure.Cause.ANSWERED
                        ? diagnosis(
                                Reason.ConnectionEstablished,
                                Map.of("endpoint", worker.endpoint(), "version", "given by the operator"))
                        : unreachable(failure),
                List.of(),
                worker.endpoint(),
                worker.clusterId(),
                null,
                CredentialsKind.IN_CLUSTER,
                null,
                List.of(),
                false,
                worker.certificateAuthority(),
                since,
                "");
    }

    private Diagnosis rejected() {
        return diagnosis(
                Reason.CredentialsRejected, Map.of("endpoint", worker.endpoint(), "secret", "(given by the operator)"));
    }

    private Diagnosis unreachable(ApiFailure failure) {
        if (failure.code() == 429) {
            return diagnosis(
                    Reason.WorkerClusterThrottled,
                    Map.of("endpoint", worker.endpoint(), "cause", "429: " + failure.text()));
        }
        return diagnosis(
                Reason.WorkerClusterUnreachable,
                Map.of(
                        "endpoint",
                        worker.endpoint(),
                        "cause",
                        failure.text(),
                        "time",
                        "a moment ago",
                        "duration",
                        "a few seconds"));
    }

    private Diagnosis diagnosis(Reason reason, Map<String, String> values) {
        Map<String, String> all = new java.util.HashMap<>(values);
        all.put("tenant", tenant);
        all.put("wc", workerCluster);
        return new Diagnosis(reason, Message.of(reason, all));
    }

    @Override
    public void rotate(VettedKubeconfig kubeconfig) {
        throw new UnsupportedOperationException("a worker cluster that the operator gave has no tenant's kubeconfig");
    }

    @Override
    public boolean uses(VettedKubeconfig kubeconfig) {
        return false;
    }

    @Override
    public String prove(VettedKubeconfig kubeconfig) {
        return "a worker cluster that the operator gave has no tenant's kubeconfig";
    }

    @Override
    public void acceptClusterId(String id) {
        // The operator chose it.
    }

    @Override
    public void reconnect() {
        // Lists and watches begin again by themselves.
    }

    @Override
    public void lookAtRights() {
        // Nothing is known of them.
    }

    @Override
    public void failed(ApiFailure failure) {
        trouble = failure;
        changed.run();
    }

    @Override
    public void recovered() {
        trouble = null;
        changed.run();
    }

    @Override
    public void close() {
        // It belongs to whoever gave it.
    }
}

package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.status.UnitFormatter;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A permanent connection configured by the operator: to the management cluster itself, or to the worker cluster of drop-in mode. Has no
 * tenant's kubeconfig, so nothing can be rotated.
 */
public final class StaticConnection implements WorkerConnection {
    private final Map<String, String> names;
    private final StaticWorkerCluster worker;
    private final InstantSource clock;
    private final Instant since;
    private final Runnable changed;
    private volatile @Nullable Outage outage;

    /** @param since the first failure of this kind */
    private record Outage(ApiFailure failure, Instant since) {}

    /**
     * A worker cluster configured by the operator.
     *
     * @param clusterId UID of its {@code kube-system}; empty if unknown
     * @param certificateAuthority of its API server, PEM; nodes get it unless the settings contain another
     */
    public record StaticWorkerCluster(KubeApi api, String endpoint, String clusterId, String certificateAuthority) {}

    public StaticConnection(
            String tenant, String workerCluster, StaticWorkerCluster worker, InstantSource clock, Runnable changed) {
        this.names = Map.of("tenant", tenant, "wc", workerCluster);
        this.worker = worker;
        this.clock = clock;
        this.since = clock.instant();
        this.changed = changed;
    }

    @Override
    public ConnectionStatus status() {
        Outage current = outage;
        ApiFailure failure = current == null ? null : current.failure();
        boolean refused = failure != null && failure.isUnauthorized();
        return new ConnectionStatus(
                ConnectionStatus.Phase.CONNECTED,
                since,
                worker.api(),
                refused ? rejected() : Reason.CredentialsAccepted.with(names, "user", "the hub's own account"),
                current == null || current.failure().kind() == ApiFailure.ApiFailureKind.ANSWERED
                        ? Reason.ConnectionEstablished.with(
                                names, "endpoint", worker.endpoint(), "version", "configured by the operator")
                        : unreachable(current.failure(), current.since()),
                List.of(),
                ConnectionFacts.unknown(worker.endpoint(), worker.clusterId()),
                new ConnectionStatus.UsedCredential(
                        CredentialsKind.IN_CLUSTER, null, worker.certificateAuthority(), ""),
                null);
    }

    private Problem rejected() {
        return Reason.CredentialsRejected.with(
                names, "endpoint", worker.endpoint(), "secret", "(configured by the operator)");
    }

    private Problem unreachable(ApiFailure failure, Instant begin) {
        if (failure.code() == 429) {
            return Reason.WorkerClusterThrottled.with(
                    names, "endpoint", worker.endpoint(), "cause", "429: " + failure.text());
        }
        return Reason.WorkerClusterUnreachable.with(
                names, "endpoint", worker.endpoint(), "cause", failure.text(), "time", UnitFormatter.formatTime(begin));
    }

    @Override
    public void rotate(ValidatedKubeconfig kubeconfig) {
        throw new UnsupportedOperationException(
                "a worker cluster configured by the operator has no tenant's kubeconfig");
    }

    @Override
    public void configure(ConnectionOptions options) {
        // The operator's configuration has its own timeouts.
    }

    @Override
    public boolean uses(ValidatedKubeconfig kubeconfig) {
        return false;
    }

    @Override
    public String testKubeconfig(ValidatedKubeconfig kubeconfig) {
        return "a worker cluster configured by the operator has no tenant's kubeconfig";
    }

    @Override
    public void acceptClusterId(String id) {
        // The operator chose the cluster.
    }

    @Override
    public void reconnect() {
        // Lists and watches retry on their own.
    }

    @Override
    public void reviewPermissions() {
        // Permissions are unknown.
    }

    @Override
    public void onRequestFailed(ApiFailure failure) {
        Outage before = outage;
        outage = new Outage(
                failure,
                before != null && before.failure().kind() == failure.kind() ? before.since() : clock.instant());
        changed.run();
    }

    @Override
    public void onRecovered() {
        outage = null;
        changed.run();
    }

    @Override
    public void close() {
        // Owned by the caller.
    }
}

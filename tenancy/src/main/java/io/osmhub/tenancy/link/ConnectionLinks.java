package io.osmhub.tenancy.link;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.tenancy.connection.ConnectionFacts;
import io.osmhub.tenancy.connection.ConnectionListener;
import io.osmhub.tenancy.connection.ConnectionOptions;
import io.osmhub.tenancy.connection.ConnectionReport;
import io.osmhub.tenancy.connection.ConnectionState;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.Verdict;
import io.osmhub.tenancy.connection.WorkerConnection;
import io.osmhub.tenancy.connection.WorkerConnections;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Ways to worker clusters over connections of the hub's own making. */
public final class ConnectionLinks implements WorkerLinks {
    private final WorkerConnections connections;

    public ConnectionLinks(WorkerConnections connections) {
        this.connections = connections;
    }

    @Override
    public WorkerLink open(Opening opening, Runnable changed) {
        ConnectedLink link = new ConnectedLink(opening, changed);
        WorkerConnection connection = connections.to(
                new ConnectionSubject(opening.tenant(), opening.workerCluster(), opening.secret()),
                new ConnectionOptions(
                        opening.settings().requestTimeout(), opening.settings().pingInterval(), opening.clusterId()),
                link);
        link.begin(connection);
        return link;
    }

    /** One connection, with the latest that it told. */
    private static final class ConnectedLink implements WorkerLink, ConnectionListener {
        private final Runnable changed;
        private final String knownClusterId;
        private volatile VettedKubeconfig newest;
        private volatile VettedKubeconfig inUse;
        private volatile @Nullable KubeApi api;
        private volatile @Nullable ConnectionFacts facts;
        private volatile @Nullable WorkerConnection connection;

        ConnectedLink(Opening opening, Runnable changed) {
            this.changed = changed;
            this.knownClusterId = opening.clusterId();
            this.newest = opening.kubeconfig();
            this.inUse = opening.kubeconfig();
        }

        void begin(WorkerConnection made) {
            connection = made;
            made.start(newest);
        }

        private WorkerConnection connection() {
            return Objects.requireNonNull(connection, "a link that was begun");
        }

        // What it is told

        @Override
        public void connected(KubeApi now, ConnectionFacts known) {
            inUse = connection().kubeconfigInUse().orElse(newest);
            api = now;
            facts = known;
            changed.run();
        }

        @Override
        public void rotated(KubeApi now, ConnectionFacts known) {
            connected(now, known);
        }

        @Override
        public void disconnected() {
            api = null;
            changed.run();
        }

        @Override
        public void stateChanged(ConnectionReport report) {
            ConnectionFacts known = facts(report.state());
            if (known != null) {
                facts = known;
            }
            changed.run();
        }

        private static @Nullable ConnectionFacts facts(ConnectionState state) {
            return switch (state) {
                case ConnectionState.Connected connected -> connected.facts();
                case ConnectionState.Degraded degraded -> degraded.facts();
                case ConnectionState.Idle _,
                        ConnectionState.Connecting _,
                        ConnectionState.Unreachable _,
                        ConnectionState.Unauthorized _,
                        ConnectionState.IdentityChanged _,
                        ConnectionState.Closed _ -> null;
            };
        }

        // What it tells

        @Override
        public LinkState state() {
            ConnectionReport report = connection().report();
            ConnectionFacts known = facts;
            VettedKubeconfig kubeconfig = inUse;
            String certificateAuthority = kubeconfig.certificateAuthorityPem();
            boolean usable = report.state().isUsable();
            return new LinkState(
                    api,
                    diagnosis(report.credentialsValid()),
                    diagnosis(report.connected()),
                    report.concerns().stream().map(ConnectedLink::diagnosis).toList(),
                    kubeconfig.server().toString(),
                    known == null ? knownClusterId : known.clusterId(),
                    known == null || known.version().isEmpty() ? null : known.version(),
                    switch (kubeconfig.credential()) {
                        case WorkerCredential.Token _ -> CredentialsKind.TOKEN;
                        case WorkerCredential.ClientCertificate _ -> CredentialsKind.CLIENT_CERTIFICATE;
                    },
                    kubeconfig.expiresAt(),
                    known == null
                            ? List.of()
                            : known.missing().stream().map(Object::toString).toList(),
                    known != null && known.scopedFetch(),
                    certificateAuthority == null ? "" : certificateAuthority,
                    usable ? report.state().since() : null,
                    known == null ? "" : known.user());
        }

        private static Diagnosis diagnosis(Verdict verdict) {
            return new Diagnosis(verdict.reason(), verdict.message());
        }

        // What is asked of it

        @Override
        public void rotate(VettedKubeconfig kubeconfig) {
            newest = kubeconfig;
            connection().rotate(kubeconfig);
        }

        @Override
        public boolean uses(VettedKubeconfig kubeconfig) {
            return api != null && inUse.contentHash().equals(kubeconfig.contentHash());
        }

        @Override
        public @Nullable String prove(VettedKubeconfig kubeconfig) {
            return connection().prove(kubeconfig).orElse(null);
        }

        @Override
        public void acceptClusterId(String id) {
            connection().acceptClusterId(id);
        }

        @Override
        public void reconnect() {
            connection().retryNow();
        }

        @Override
        public void lookAtRights() {
            connection().lookAtRights();
        }

        @Override
        public void failed(ApiFailure failure) {
            connection().requestFailed(failure);
        }

        @Override
        public void recovered() {
            // The connection finds out by its own pings.
        }

        @Override
        public void close() {
            connection().close();
        }
    }
}

package io.osmhub.tenancy.link;

import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.tenancy.connection.ConnectionFacts;
import io.osmhub.tenancy.connection.ConnectionListener;
import io.osmhub.tenancy.connection.ConnectionOptions;
import io.osmhub.tenancy.connection.ConnectionReport;
import io.osmhub.tenancy.connection.ConnectionState;
import io.osmhub.tenancy.connection.ConnectionSubject;
import io.osmhub.tenancy.connection.ReportedCondition;
import io.osmhub.tenancy.connection.WorkerConnection;
import io.osmhub.tenancy.connection.WorkerConnectionFactory;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Links over connections to worker clusters. */
public final class ConnectionLinkFactory implements WorkerLinkFactory {
    private final WorkerConnectionFactory connections;

    public ConnectionLinkFactory(WorkerConnectionFactory connections) {
        this.connections = connections;
    }

    @Override
    public WorkerLink open(LinkRequest opening, Runnable changed) {
        ConnectedLink link = new ConnectedLink(opening, changed);
        WorkerConnection connection = connections.create(
                new ConnectionSubject(opening.tenant(), opening.workerCluster(), opening.secret()),
                new ConnectionOptions(
                        opening.settings().requestTimeout(), opening.settings().pingInterval(), opening.clusterId()),
                link);
        link.begin(connection);
        return link;
    }

    /** One connection and its latest report. */
    private static final class ConnectedLink implements WorkerLink, ConnectionListener {
        private final Runnable changed;
        private final String knownClusterId;
        private volatile ValidatedKubeconfig newest;
        private volatile ValidatedKubeconfig inUse;
        private volatile @Nullable KubeApi api;
        private volatile @Nullable ConnectionFacts facts;
        private volatile @Nullable WorkerConnection connection;

        ConnectedLink(LinkRequest opening, Runnable changed) {
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
            return Objects.requireNonNull(connection, "link not started");
        }

        // Connection events

        @Override
        public void onConnected(KubeApi now, ConnectionFacts known) {
            inUse = connection().kubeconfigInUse().orElse(newest);
            api = now;
            facts = known;
            changed.run();
        }

        @Override
        public void onRotated(KubeApi now, ConnectionFacts known) {
            onConnected(now, known);
        }

        @Override
        public void onDisconnected() {
            api = null;
            changed.run();
        }

        @Override
        public void onStateChanged(ConnectionReport report) {
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

        // State

        @Override
        public LinkState state() {
            ConnectionReport report = connection().report();
            ConnectionFacts known = facts;
            ValidatedKubeconfig kubeconfig = inUse;
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
                    report.noAnswerSince(),
                    known == null ? "" : known.user());
        }

        private static ReasonMessage diagnosis(ReportedCondition verdict) {
            return new ReasonMessage(verdict.reason(), verdict.message());
        }

        // Requests

        @Override
        public void rotate(ValidatedKubeconfig kubeconfig) {
            newest = kubeconfig;
            connection().rotate(kubeconfig);
        }

        @Override
        public void configure(TenantSettings.Connection settings) {
            connection().configure(settings.requestTimeout(), settings.pingInterval());
        }

        @Override
        public boolean uses(ValidatedKubeconfig kubeconfig) {
            return api != null && inUse.contentHash().equals(kubeconfig.contentHash());
        }

        @Override
        public @Nullable String testKubeconfig(ValidatedKubeconfig kubeconfig) {
            return connection().testKubeconfig(kubeconfig).orElse(null);
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
        public void reviewPermissions() {
            connection().reviewPermissions();
        }

        @Override
        public void onRequestFailed(ApiFailure failure) {
            connection().onRequestFailed(failure);
        }

        @Override
        public void onRecovered() {
            // The connection detects recovery by its own pings.
        }

        @Override
        public void close() {
            connection().close();
        }
    }
}

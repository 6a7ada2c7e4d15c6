package io.osmhub.tenancy;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.tenancy.connection.ConnectionFacts;
import io.osmhub.tenancy.connection.ConnectionOptions;
import io.osmhub.tenancy.connection.ConnectionStatus;
import io.osmhub.tenancy.connection.WorkerConnection;
import io.osmhub.tenancy.connection.WorkerConnectionFactory;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.fake.SimulatedServer;
import io.osmhub.workersync.fake.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** In-memory connections to API servers, selected by the kubeconfig's host. A host that is cut off is unreachable. */
final class FakeConnections implements WorkerConnectionFactory {
    final Map<String, SimulatedServer> servers = new HashMap<>();
    final Set<String> cutOff = new HashSet<>();
    final List<FakeConnection> opened = new ArrayList<>();
    /** Between the hub and the worker clusters. */
    Function<ServerHandler, KubeApi> workerApi = ServerHandler::api;
    /** Of every connection. */
    final List<Problem> problems = new ArrayList<>();
    /** Of an OSM that runs in each worker cluster. */
    String peerLease = "";

    private final VirtualTime time;

    FakeConnections(VirtualTime time) {
        this.time = time;
    }

    @Override
    public WorkerConnection open(ConnectionRequest request, Runnable changed) {
        FakeConnection connection = new FakeConnection(request, changed);
        opened.add(connection);
        connection.reconnect();
        return connection;
    }

    /** Makes a host reachable again and reconnects. */
    void heal(String host) {
        cutOff.remove(host);
        opened.forEach(FakeConnection::reconnect);
    }

    final class FakeConnection implements WorkerConnection {
        private final ConnectionRequest request;
        private final Runnable changed;
        ValidatedKubeconfig kubeconfig;
        boolean closed;
        boolean scopedFetch;
        int looksAtRights;
        int reconnects;
        private @Nullable KubeApi connected;
        private String clusterId = "";
        private boolean failed;
        private Instant since = Instant.EPOCH;

        FakeConnection(ConnectionRequest request, Runnable changed) {
            this.request = request;
            this.changed = changed;
            this.kubeconfig = request.kubeconfig();
        }

        @Override
        public ConnectionStatus status() {
            Map<String, String> words = Map.of(
                    "tenant", request.subject().tenant(),
                    "wc", request.subject().workerCluster(),
                    "user", "admin",
                    "secret", request.subject().secret(),
                    "endpoint", kubeconfig.server().toString(),
                    "version", "v1.34.1",
                    "cause", "cut off",
                    "time", "now",
                    "duration", "1 s");
            Reason credentials = connected == null ? Reason.CredentialsNotChecked : Reason.CredentialsAccepted;
            Reason connection = connected != null
                    ? Reason.ConnectionEstablished
                    : failed ? Reason.WorkerClusterUnreachable : Reason.Connecting;
            return new ConnectionStatus(
                    connected == null ? ConnectionStatus.Phase.CONNECTING : ConnectionStatus.Phase.CONNECTED,
                    since,
                    connected,
                    credentials.with(words),
                    connection.with(words),
                    problems,
                    new ConnectionFacts(
                            kubeconfig.server().toString(),
                            connected == null ? "" : "v1.34.1",
                            clusterId,
                            user(),
                            List.of(),
                            scopedFetch,
                            peerLease.isEmpty() ? null : new ConnectionFacts.PeerLease(peerLease, "pod-1"),
                            Duration.ZERO),
                    new ConnectionStatus.UsedCredential(
                            CredentialsKind.TOKEN,
                            kubeconfig.expiresAt(),
                            Objects.requireNonNullElse(kubeconfig.certificateAuthorityPem(), ""),
                            kubeconfig.contentHash()),
                    null);
        }

        /** User name from a JSON Web Token. */
        private String user() {
            if (kubeconfig.credential() instanceof WorkerCredential.Token(var token)
                    && token.reveal().split("\\.").length == 3) {
                String claims = new String(
                        Base64.getUrlDecoder().decode(token.reveal().split("\\.")[1]), StandardCharsets.UTF_8);
                return claims.replaceAll(".*\"sub\":\"([^\"]*)\".*", "$1");
            }
            return "admin";
        }

        @Override
        public void rotate(ValidatedKubeconfig other) {
            time.execute(() -> {
                if (servers.containsKey(other.host()) && !cutOff.contains(other.host())) {
                    kubeconfig = other;
                    connect();
                }
            });
        }

        @Override
        public void configure(ConnectionOptions options) {
            // The in-memory server has no timeouts.
        }

        @Override
        public void reviewPermissions() {
            looksAtRights++;
            changed.run();
        }

        @Override
        public boolean uses(ValidatedKubeconfig other) {
            return connected != null && kubeconfig.contentHash().equals(other.contentHash());
        }

        @Override
        public @Nullable String testKubeconfig(ValidatedKubeconfig other) {
            return cutOff.contains(other.host()) ? "cut off" : null;
        }

        @Override
        public void acceptClusterId(String id) {
            reconnect();
        }

        @Override
        public void reconnect() {
            reconnects++;
            time.execute(this::connect);
        }

        private void connect() {
            if (closed) {
                return;
            }
            SimulatedServer server = cutOff.contains(kubeconfig.host()) ? null : servers.get(kubeconfig.host());
            failed = server == null;
            if (server != null && connected == null) {
                since = time.now();
            }
            connected = server == null ? null : workerApi.apply(server);
            if (server != null) {
                clusterId = uid(server);
            }
            changed.run();
        }

        private String uid(SimulatedServer server) {
            try {
                byte[] answer = server.send(ApiRequest.get(Resource.NAMESPACES, "", "kube-system"));
                return WireJson.read(answer).at("/metadata/uid").asText();
            } catch (ApiFailure e) {
                throw new AssertionError(e);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void onRequestFailed(ApiFailure failure) {
            // The in-memory server rejects every connection alike.
        }

        @Override
        public void onRecovered() {
            // See above.
        }

        @Override
        public void close() {
            closed = true;
            connected = null;
        }
    }
}

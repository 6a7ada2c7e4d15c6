package io.osmhub.tenancy.connection;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Severity;
import io.osmhub.tenancy.connection.ConnectionFacts.PeerLease;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.fake.ServerHandler;
import io.osmhub.workersync.watch.RuntimeContext;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Worker clusters with scripted behaviour, and a connection to one of them. */
final class FakeWorld implements Connector, ConnectionMetrics {
    static final ConnectionOptions DEFAULT = new ConnectionOptions(Duration.ofSeconds(10), Duration.ofSeconds(6));
    static final ConnectionSubject SUBJECT = new ConnectionSubject("cluster-x7f", "worker", "kubeconfig");

    final VirtualTime time = new VirtualTime();
    final List<FakeLink> links = new ArrayList<>();
    /** Log of events. */
    final List<String> story = new ArrayList<>();

    final List<ConnectionStatus> reports = new ArrayList<>();
    final List<String> losses = new ArrayList<>();
    int attempts;
    // Results of connection attempts by content hash; success if absent.
    final Map<String, ConnectFailure> failures = new HashMap<>();
    final Map<String, ConnectionFacts> facts = new HashMap<>();
    final ConnectionServices services = new ConnectionServices(
            this,
            new ConnectLimiter(4, time),
            new PingScheduler(time),
            new RuntimeContext(time, this::execute, new Random(7)),
            this);

    /** A call that does not return. */
    private static final class HangingCall extends Error {
        private static final long serialVersionUID = 1L;
    }

    private void execute(Runnable task) {
        time.execute(() -> {
            try {
                task.run();
            } catch (HangingCall forever) {
                // Its thread is never seen again.
            }
        });
    }

    private @Nullable ClusterConnection connection;
    private @Nullable ConnectionStatus seen;

    ClusterConnection connection(String clusterId) {
        WorkerConnectionFactory.ConnectionRequest request =
                new WorkerConnectionFactory.ConnectionRequest(SUBJECT, kubeconfig("a"), DEFAULT, clusterId);
        ClusterConnection made = new ClusterConnection(services, request, this::onChanged);
        connection = made;
        seen = made.status();
        return made;
    }

    private FakeLink link(@Nullable KubeApi api) {
        return links.stream().filter(link -> link.api == api).findFirst().orElseThrow();
    }

    private void onChanged() {
        ConnectionStatus before = Objects.requireNonNull(seen);
        ConnectionStatus now = Objects.requireNonNull(connection).status();
        seen = now;
        if (now.api() != before.api()) {
            story.add(
                    now.api() == null
                            ? "disconnected"
                            : (before.api() == null ? "connected " : "rotated ") + link(now.api()).hash);
        }
        if (!withoutRotation(now).equals(withoutRotation(before))) {
            reports.add(now);
            boolean aboutCredential = now.credentials().reason().severity() == Severity.ERROR;
            story.add(now.phase().logName() + " " + (aboutCredential ? now.credentials() : now.connection()).reason());
        }
    }

    private static ConnectionStatus withoutRotation(ConnectionStatus status) {
        return new ConnectionStatus(
                status.phase(),
                status.since(),
                null,
                status.credentials(),
                status.connection(),
                status.warnings(),
                status.facts(),
                new ConnectionStatus.UsedCredential(
                        status.credential().kind(),
                        status.credential().expiresAt(),
                        status.credential().certificateAuthority(),
                        ""),
                status.noAnswerSince());
    }

    static ValidatedKubeconfig kubeconfig(String hash) {
        return kubeconfig(hash, null);
    }

    static ValidatedKubeconfig kubeconfig(String hash, @Nullable Instant expiresAt) {
        return new ValidatedKubeconfig(
                URI.create("https://worker.example:6443"),
                "worker.example",
                6443,
                "pem",
                new WorkerCredential.Token(new Sensitive("secret-" + hash)),
                false,
                null,
                null,
                expiresAt,
                "context",
                "user-of-the-kubeconfig",
                hash);
    }

    static ConnectionFacts facts(String clusterId, Permission... missing) {
        return new ConnectionFacts(
                "https://worker.example:6443",
                "v1.34.2",
                clusterId,
                "system:serviceaccount:kube-system:osm-hub",
                List.of(missing),
                false,
                null,
                Duration.ZERO);
    }

    FakeLink last() {
        return links.getLast();
    }

    ConnectionStatus lastReport() {
        return reports.getLast();
    }

    @Override
    public VerifiedConnection connect(
            ConnectionSubject subject,
            ValidatedKubeconfig kubeconfig,
            ConnectionOptions options,
            ConnectionEventObserver observer)
            throws ConnectFailure {
        attempts++;
        String hash = kubeconfig.contentHash();
        ConnectFailure failure = failures.get(hash);
        if (failure != null) {
            throw failure;
        }
        FakeLink link = new FakeLink(hash, facts.getOrDefault(hash, facts("id-1")), options, observer);
        links.add(link);
        return link;
    }

    @Override
    public void onReconnecting(String cause) {
        losses.add(cause);
    }

    /** Compared by identity. */
    private static final class FakeApi implements ServerHandler {
        @Override
        public byte[] send(ApiRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            throw new UnsupportedOperationException();
        }
    }

    /** A scripted connection. */
    final class FakeLink implements VerifiedConnection {
        final String hash;
        final ConnectionFacts facts;
        final ConnectionOptions options;
        final ConnectionEventObserver observer;

        @Nullable ConnectFailure probeFails;

        private final KubeApi api;
        AccessReview review;
        ServerInfo greeting;
        int unanswered;
        boolean answersPings = true;
        boolean connected = true;
        boolean probeHangs;
        /** Thrown by probes and reviews. */
        @Nullable RuntimeException bug;

        @Nullable CompletableFuture<Integer> pending;

        int pings;
        Instant pingedAt = Instant.MIN;
        int probes;
        int reviews;
        boolean closed;

        FakeLink(String hash, ConnectionFacts facts, ConnectionOptions options, ConnectionEventObserver observer) {
            this.hash = hash;
            this.api = new FakeApi().api();
            this.facts = facts;
            this.options = options;
            this.observer = observer;
            this.review = new AccessReview(facts.missing(), facts.scopedFetch(), facts.peer());
            this.greeting = new ServerInfo(facts.version(), facts.clockAhead());
        }

        @Override
        public KubeApi api() {
            return api;
        }

        @Override
        public ConnectionFacts facts() {
            return facts;
        }

        @Override
        public CompletableFuture<Integer> ping(Duration within) {
            pings++;
            pingedAt = time.now();
            unanswered = answersPings ? 0 : unanswered + 1;
            return pending == null ? CompletableFuture.completedFuture(unanswered) : pending;
        }

        @Override
        public ServerInfo probe() throws ConnectFailure {
            probes++;
            if (probeHangs) {
                throw new HangingCall();
            }
            failIfBroken();
            if (probeFails != null) {
                throw Objects.requireNonNull(probeFails);
            }
            return greeting;
        }

        @Override
        public boolean isConnected() {
            return connected;
        }

        @Override
        public AccessReview review() throws ApiFailure {
            reviews++;
            failIfBroken();
            return review;
        }

        @Override
        public void close() {
            closed = true;
        }

        private void failIfBroken() {
            if (bug != null) {
                throw bug;
            }
        }

        void peer(@Nullable PeerLease peer) {
            review = new AccessReview(facts.missing(), facts.scopedFetch(), peer);
        }
    }
}

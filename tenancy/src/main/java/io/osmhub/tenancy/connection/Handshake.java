package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.EndpointLimiter;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.client.TlsSession;
import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.ConnectFailure.RefusedAddress;
import io.osmhub.tenancy.connection.Connector.ConnectionEventObserver;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.EgressPolicy.EgressDecision;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connects to an API server step by step: address, TLS and version, then identity, user and permissions. It is the proof of a
 * connection that is used, and the test of a kubeconfig.
 */
public final class Handshake implements Connector, ConnectionTester {
    private final ClientPool clients;
    private final DnsResolver resolver;
    private final Function<String, EgressPolicy> egressPolicies;
    private final RequestObserver requests;
    private final Scheduler scheduler;
    private final Executor executor;

    /**
     * @param egressPolicies current policy of a tenant's namespace
     * @param requests observes all requests to worker clusters
     */
    public Handshake(
            ClientPool clients,
            DnsResolver resolver,
            Function<String, EgressPolicy> egressPolicies,
            RequestObserver requests,
            RuntimeContext runtimeContext) {
        this.clients = clients;
        this.resolver = resolver;
        this.egressPolicies = egressPolicies;
        this.requests = requests;
        this.scheduler = runtimeContext.scheduler();
        this.executor = runtimeContext.blockingExecutor();
    }

    private record Target(ConnectionSubject subject, ValidatedKubeconfig kubeconfig) {}

    /** Receives the result of each step. */
    interface StepListener {
        /** For a caller that needs only the final result. */
        StepListener NONE = new StepListener() {};

        default void onResolved(InetAddress address, Duration took) {}

        /** The first request was answered. */
        default void onConnected(Optional<TlsSession> session, @Nullable Duration clockAhead, Duration took) {}

        default void onVerified(ConnectionFacts facts, Duration took) {}

        /** The step after the last successful one failed. {@code session} is empty unless connected. */
        default void onFailed(ConnectFailure failure, Optional<TlsSession> session, Duration took) {}
    }

    @Override
    public VerifiedConnection connect(
            ConnectionSubject subject,
            ValidatedKubeconfig kubeconfig,
            ConnectionOptions options,
            ConnectionEventObserver observer)
            throws ConnectFailure {
        return run(
                new Target(subject, kubeconfig),
                ClientLimits.WORKER.withRequestTimeout(options.requestTimeout()),
                observer,
                StepListener.NONE);
    }

    @Override
    public TestedConnection test(ConnectionSubject subject, ValidatedKubeconfig kubeconfig) {
        TestReportBuilder report = new TestReportBuilder(subject, kubeconfig, scheduler.now());
        VerifiedConnection connection;
        try {
            connection =
                    run(new Target(subject, kubeconfig), ClientLimits.WORKER, ConnectionEventObserver.NONE, report);
        } catch (ConnectFailure reported) {
            return new TestedConnection(report.build(), null, () -> {});
        }
        long begun = scheduler.nanoTime();
        try {
            report.prerequisites(Prerequisites.read(connection.api(), subject.apiServerUrl()), since(begun));
            return new TestedConnection(report.build(), connection.api(), connection::close);
        } catch (ApiFailure failure) {
            connection.close();
            report.onFailed(ConnectFailure.of(failure, null), Optional.empty(), since(begun));
            return new TestedConnection(report.build(), null, () -> {});
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private VerifiedConnection run(
            Target target, ClientLimits limits, ConnectionEventObserver observer, StepListener steps)
            throws ConnectFailure {
        long begun = scheduler.nanoTime();
        ServerAccess access;
        try {
            access = resolve(target, steps, begun);
        } catch (ConnectFailure failure) {
            steps.onFailed(failure, Optional.empty(), since(begun));
            throw failure;
        }
        ApiClient client = clients.worker(
                access,
                limits,
                (verb, resource, failure, took) -> {
                    requests.onFinished(verb, resource, failure, took);
                    observer.onRequestFinished(failure);
                },
                new ConnectionLossObserver(observer));
        begun = scheduler.nanoTime();
        try {
            VerifiedConnection.ServerInfo server = KubeConnection.readVersion(() -> client.read("/version"), scheduler);
            steps.onConnected(client.session(), server.clockAhead(), since(begun));
            begun = scheduler.nanoTime();
            KubeConnection connection = KubeConnection.verify(client, target.kubeconfig(), server, scheduler, executor);
            steps.onVerified(connection.facts(), since(begun));
            return connection;
        } catch (ApiFailure failure) {
            ConnectFailure reported = ConnectFailure.of(failure, client.lastCertificateFailure());
            steps.onFailed(reported, client.session(), since(begun));
            client.close();
            throw reported;
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /** With a pinned address, so that the name cannot resolve to another one later. */
    private ServerAccess resolve(Target target, StepListener steps, long begun) throws ConnectFailure {
        ValidatedKubeconfig kubeconfig = target.kubeconfig();
        ServerAccess access = ServerAccessFactory.of(kubeconfig);
        URI proxy = kubeconfig.proxy();
        if (proxy == null) {
            InetAddress address = address(target, kubeconfig.host(), kubeconfig.port(), kubeconfig.literalAddress());
            count(target, literal(address) + ":" + kubeconfig.port());
            steps.onResolved(address, since(begun));
            return access.at(address);
        }
        int proxyPort = ServerAccessFactory.port(proxy);
        // The proxy resolves the server's name; the hub connects to and checks only the proxy's address.
        InetAddress address = address(target, proxy.getHost(), proxyPort, Optional.empty());
        count(target, literal(address) + ":" + proxyPort + " " + kubeconfig.host() + ":" + kubeconfig.port());
        steps.onResolved(address, since(begun));
        return access.through(URI.create(proxy.getScheme() + "://" + literal(address) + ":" + proxyPort));
    }

    private void count(Target target, String endpoint) throws ConnectFailure {
        String tenant = target.subject().tenant();
        if (!clients.endpoints().tryUse(tenant, endpoint, scheduler.nanoTime())) {
            throw ConnectFailure.of(
                    Kind.NO_CONNECTION,
                    "not tried: namespace " + tenant + " named more than " + EndpointLimiter.LIMIT
                            + " different endpoints within a minute");
        }
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        return text.contains(":") ? "[" + text + "]" : text;
    }

    private InetAddress address(Target target, String host, int port, Optional<InetAddress> literal)
            throws ConnectFailure {
        List<InetAddress> addresses;
        try {
            addresses = literal.isPresent() ? List.of(literal.get()) : resolver.resolve(host);
        } catch (UnknownHostException e) {
            addresses = List.of();
        }
        if (addresses.isEmpty()) {
            throw ConnectFailure.of(Kind.NOT_RESOLVED, "not found in DNS");
        }
        EgressPolicy egressPolicy = egressPolicies.apply(target.subject().tenant());
        return switch (egressPolicy.check(target.subject().secretPath(), host, port, addresses)) {
            case EgressDecision.Allowed allowed -> allowed.pinned();
            case EgressDecision.Refused refused ->
                throw ConnectFailure.refused(
                        refused.finding().cause(),
                        new RefusedAddress(
                                refused.address(), refused.addressClass().wireName()));
        };
    }

    private Duration since(long begunNanos) {
        return Duration.ofNanos(scheduler.nanoTime() - begunNanos);
    }

    /** Reports when the last socket closed, and whether the server had announced it. */
    private static final class ConnectionLossObserver implements ConnectionObserver {
        private final ConnectionEventObserver observer;
        private final AtomicBoolean announced = new AtomicBoolean();

        ConnectionLossObserver(ConnectionEventObserver observer) {
            this.observer = observer;
        }

        @Override
        public void onGoAway() {
            announced.set(true);
        }

        @Override
        public void onClosed(int left) {
            boolean asked = announced.getAndSet(false);
            if (left == 0) {
                observer.onLost(asked);
            }
        }
    }
}

package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.ConnectFailure.RefusedAddress;
import io.osmhub.tenancy.kubeconfig.Egress;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Timers;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Makes real connections: name, address that the policy allows, TLS, and what the server says of itself and of the hub. */
final class KubeConnector implements Connector {
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    private final ClientPool clients;
    private final NameService names;
    private final Function<String, EgressPolicy> policies;
    private final RequestObserver requests;
    private final Timers timers;
    private final Executor threads;

    /** @param policies the egress policy of a tenant's namespace, as it is now */
    KubeConnector(
            ClientPool clients,
            NameService names,
            Function<String, EgressPolicy> policies,
            RequestObserver requests,
            Timers timers,
            Executor threads) {
        this.clients = clients;
        this.names = names;
        this.policies = policies;
        this.requests = requests;
        this.timers = timers;
        this.threads = threads;
    }

    @Override
    public Link open(
            VettedKubeconfig kubeconfig, ConnectionSubject subject, ConnectionOptions options, LinkObserver observer)
            throws ConnectFailure {
        ServerAccess access = access(kubeconfig, subject);
        ApiClient client = clients.worker(
                access,
                ClientLimits.WORKER.withRequestTimeout(options.requestTimeout()),
                (verb, resource, failure, took) -> {
                    requests.finished(verb, resource, failure, took);
                    observer.requested(failure);
                },
                new Losses(observer));
        try {
            return KubeLink.prove(client, kubeconfig, timers, threads);
        } catch (ApiFailure failure) {
            client.close();
            throw ConnectFailure.of(failure, client.lastTlsRefusal());
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private ServerAccess access(VettedKubeconfig kubeconfig, ConnectionSubject subject) throws ConnectFailure {
        ServerAccess access = KubeconfigAccess.of(kubeconfig);
        URI proxy = kubeconfig.proxy();
        if (proxy == null) {
            InetAddress address = address(subject, kubeconfig.host(), kubeconfig.port(), kubeconfig.literalAddress());
            return access.at(address);
        }
        int proxyPort = proxy.getPort() >= 0 ? proxy.getPort() : "https".equals(proxy.getScheme()) ? HTTPS : HTTP;
        // The proxy resolves the server's name; here only its own address counts, and it is what is connected to.
        InetAddress address = address(subject, proxy.getHost(), proxyPort, Optional.empty());
        URI pinned = URI.create(proxy.getScheme() + "://" + literal(address) + ":" + proxyPort);
        return access.through(pinned);
    }

    private static String literal(InetAddress address) {
        String text = address.getHostAddress();
        return text.contains(":") ? "[" + text + "]" : text;
    }

    private InetAddress address(ConnectionSubject subject, String host, int port, Optional<InetAddress> literal)
            throws ConnectFailure {
        List<InetAddress> addresses;
        try {
            addresses = literal.isPresent() ? List.of(literal.get()) : names.addresses(host);
        } catch (UnknownHostException e) {
            throw ConnectFailure.of(Kind.NOT_RESOLVED, "the name service knows no address");
        }
        if (addresses.isEmpty()) {
            throw ConnectFailure.of(Kind.NOT_RESOLVED, "the name service knows no address");
        }
        return switch (policies.apply(subject.tenant()).check(subject.secretPath(), host, port, addresses)) {
            case Egress.Allowed allowed -> allowed.pinned();
            case Egress.Refused refused ->
                throw ConnectFailure.refused(
                        refused.finding().what(),
                        new RefusedAddress(
                                refused.address(), refused.addressClass().word()));
        };
    }

    /** Tells when the last socket is gone, and whether the server had said so before. */
    private static final class Losses implements ConnectionObserver {
        private final LinkObserver observer;
        private final AtomicBoolean announced = new AtomicBoolean();

        Losses(LinkObserver observer) {
            this.observer = observer;
        }

        @Override
        public void leaving() {
            announced.set(true);
        }

        @Override
        public void closed(int left) {
            boolean asked = announced.getAndSet(false);
            if (left == 0) {
                observer.lost(asked);
            }
        }
    }
}

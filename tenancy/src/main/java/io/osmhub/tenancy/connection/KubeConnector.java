package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Scheduler;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Connects: resolves the name, checks the egress policy, and verifies TLS, server and credential. */
final class KubeConnector implements Connector {
    private final ClientPool clients;
    private final EndpointResolver reach;
    private final RequestObserver requests;
    private final Scheduler timers;
    private final Executor threads;

    /** @param policies current egress policy of a tenant's namespace */
    KubeConnector(
            ClientPool clients,
            DnsResolver names,
            Function<String, EgressPolicy> policies,
            RequestObserver requests,
            Scheduler timers,
            Executor threads) {
        this.clients = clients;
        this.reach = new EndpointResolver(names, policies, clients.endpoints(), timers);
        this.requests = requests;
        this.timers = timers;
        this.threads = threads;
    }

    @Override
    public VerifiedConnection open(
            ValidatedKubeconfig kubeconfig,
            ConnectionSubject subject,
            ConnectionOptions options,
            ConnectionEventObserver observer)
            throws ConnectFailure {
        ServerAccess access = reach.resolve(kubeconfig, subject).access();
        ApiClient client = clients.worker(
                access,
                ClientLimits.WORKER.withRequestTimeout(options.requestTimeout()),
                (verb, resource, failure, took) -> {
                    requests.onFinished(verb, resource, failure, took);
                    observer.onRequestFinished(failure);
                },
                new ConnectionLossObserver(observer));
        try {
            return KubeConnection.prove(client, kubeconfig, timers, threads);
        } catch (ApiFailure failure) {
            client.close();
            throw ConnectFailure.of(failure, client.lastCertificateFailure());
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
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

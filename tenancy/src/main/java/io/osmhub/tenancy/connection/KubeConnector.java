package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.client.ServerAccess;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Timers;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Makes real connections: name, address that the policy allows, TLS, and what the server says of itself and of the hub. */
final class KubeConnector implements Connector {
    private final ClientPool clients;
    private final Reach reach;
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
        this.reach = new Reach(names, policies, clients.endpoints(), timers);
        this.requests = requests;
        this.timers = timers;
        this.threads = threads;
    }

    @Override
    public Link open(
            VettedKubeconfig kubeconfig, ConnectionSubject subject, ConnectionOptions options, LinkObserver observer)
            throws ConnectFailure {
        ServerAccess access = reach.to(kubeconfig, subject).access();
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

package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.Reading;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Timers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Tests over real connections, one of its own for each. */
public final class LiveConnectionTests implements ConnectionTests {
    private static final String SETTINGS = "cloud-init-settings";
    private static final String GETTER = "cloud-init-getter-token";

    private final ClientPool clients;
    private final NameService names;
    private final RequestObserver requests;
    private final Timers timers;
    private final Executor threads;

    /**
     * @param requests learns of every request to a worker cluster
     * @param threads runs each task on a virtual thread of its own
     */
    public LiveConnectionTests(
            ClientPool clients, NameService names, RequestObserver requests, Timers timers, Executor threads) {
        this.clients = clients;
        this.names = names;
        this.requests = requests;
        this.timers = timers;
        this.threads = threads;
    }

    @Override
    public ConnectionTest test(ConnectionSubject subject, VettedKubeconfig kubeconfig, EgressPolicy egress) {
        TestNotes notes = new TestNotes(subject, kubeconfig, timers.now());
        long begun = timers.nanoTime();
        Reach.Way way;
        try {
            way = new Reach(names, tenant -> egress, clients.endpoints(), timers).to(kubeconfig, subject);
        } catch (ConnectFailure failure) {
            notes.noAddress(failure, since(begun));
            return new ConnectionTest(notes.report(), null, () -> {});
        }
        notes.address(way.address(), since(begun));
        ApiClient client = clients.worker(way.access(), ClientLimits.WORKER, requests, ConnectionObserver.NONE);
        try {
            boolean signedIn = look(client, kubeconfig, notes);
            return new ConnectionTest(notes.report(), signedIn ? client.api() : null, client::close);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /** Whether the server accepted the credential. */
    private boolean look(ApiClient client, VettedKubeconfig kubeconfig, TestNotes notes) {
        long begun = timers.nanoTime();
        try {
            Reading version = readVersion(client);
            notes.connected(client.session(), ahead(version, timers.now()), since(begun));
        } catch (ApiFailure failure) {
            notes.notConnected(ConnectFailure.of(failure, client.lastTlsRefusal()), client.session(), since(begun));
            return false;
        }
        begun = timers.nanoTime();
        try {
            notes.facts(KubeLink.prove(client, kubeconfig, timers, threads).facts(), since(begun));
            begun = timers.nanoTime();
            notes.prerequisites(
                    missing(client.api(), ApiRequest.list(Resource.MACHINE_DEPLOYMENTS, "", Map.of("limit", "1"))),
                    missing(client.api(), ApiRequest.get(Resource.SECRETS, SETTINGS, GETTER)),
                    since(begun));
            return true;
        } catch (ApiFailure failure) {
            notes.notSignedIn(ConnectFailure.of(failure, client.lastTlsRefusal()), since(begun));
            return false;
        }
    }

    /** Whoever may not read the version is signed in all the same, or is told so by the next request. */
    private static Reading readVersion(ApiClient client) throws ApiFailure {
        try {
            return client.probe("/version");
        } catch (ApiFailure failure) {
            if (failure.why() == ApiFailure.Cause.ANSWERED && failure.code() < 500) {
                return new Reading(failure.code(), new byte[0], null);
            }
            throw failure;
        }
    }

    private static @Nullable Duration ahead(Reading reading, Instant now) {
        Instant serverTime = reading.serverTime();
        // The header has whole seconds, so half of one is added.
        return serverTime == null ? null : Duration.between(now, serverTime.plusMillis(500));
    }

    /** Whether an object or its whole kind is not there; what may not be looked at is not said to be missing. */
    private static boolean missing(KubeApi api, ApiRequest request) throws ApiFailure {
        try {
            WireJson.read(api.send(request));
            return false;
        } catch (ApiFailure failure) {
            if (failure.isForbidden()) {
                return false;
            }
            if (failure.isNotFound()) {
                return true;
            }
            throw failure;
        } catch (IOException e) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "unexpected response: not JSON");
        }
    }

    private Duration since(long begunNanos) {
        return Duration.ofNanos(timers.nanoTime() - begunNanos);
    }
}

package io.osmhub.tenancy.connection;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.bootstrap.ApiServerDiscovery;
import io.osmhub.core.bootstrap.ApiServerDiscovery.EndpointSlice;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ApiResponse;
import io.osmhub.tenancy.client.ClientLimits;
import io.osmhub.tenancy.client.ClientPool;
import io.osmhub.tenancy.client.ConnectionObserver;
import io.osmhub.tenancy.client.NarrowRoleKubeApi;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.kubeconfig.EgressPolicy;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.WorkerObjectDecoders;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Tests each kubeconfig over a separate connection. */
public final class KubeConnectionTester implements ConnectionTester {
    private static final String SETTINGS = "cloud-init-settings";
    private static final String GETTER = "cloud-init-getter-token";

    private final ClientPool clients;
    private final DnsResolver names;
    private final RequestObserver requests;
    private final Scheduler timers;
    private final Executor threads;

    /**
     * @param requests observes all requests to worker clusters
     * @param threads runs each task on its own virtual thread
     */
    public KubeConnectionTester(
            ClientPool clients, DnsResolver names, RequestObserver requests, Scheduler timers, Executor threads) {
        this.clients = clients;
        this.names = names;
        this.requests = requests;
        this.timers = timers;
        this.threads = threads;
    }

    @Override
    public TestedConnection test(ConnectionSubject subject, ValidatedKubeconfig kubeconfig, EgressPolicy egress) {
        TestReportBuilder notes = new TestReportBuilder(subject, kubeconfig, timers.now());
        long begun = timers.nanoTime();
        EndpointResolver.ResolvedEndpoint way;
        try {
            way = new EndpointResolver(names, tenant -> egress, clients.endpoints(), timers)
                    .resolve(kubeconfig, subject);
        } catch (ConnectFailure failure) {
            notes.noAddress(failure, since(begun));
            return new TestedConnection(notes.report(), null, () -> {});
        }
        notes.address(way.address(), since(begun));
        ApiClient client = clients.worker(way.access(), ClientLimits.WORKER, requests, ConnectionObserver.NONE);
        try {
            boolean signedIn = checkServer(client, subject, kubeconfig, notes);
            return new TestedConnection(notes.report(), signedIn ? client.api() : null, client::close);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /** Whether the server accepted the credential. */
    private boolean checkServer(
            ApiClient client, ConnectionSubject subject, ValidatedKubeconfig kubeconfig, TestReportBuilder notes) {
        long begun = timers.nanoTime();
        try {
            ApiResponse version = readVersion(client);
            notes.connected(client.session(), ahead(version, timers.now()), since(begun));
        } catch (ApiFailure failure) {
            notes.notConnected(
                    ConnectFailure.of(failure, client.lastCertificateFailure()), client.session(), since(begun));
            return false;
        }
        begun = timers.nanoTime();
        try {
            notes.facts(
                    KubeConnection.prove(client, kubeconfig, timers, threads).facts(), since(begun));
            begun = timers.nanoTime();
            notes.prerequisites(
                    missing(client.api(), ApiRequest.list(Resource.MACHINE_DEPLOYMENTS, "", Map.of("limit", "1"))),
                    missing(client.api(), ApiRequest.get(Resource.SECRETS, SETTINGS, GETTER)),
                    apiServerProblems(new NarrowRoleKubeApi(client.api(), timers), subject.apiServerUrl()),
                    since(begun));
            return true;
        } catch (ApiFailure failure) {
            notes.notAuthenticated(ConnectFailure.of(failure, client.lastCertificateFailure()), since(begun));
            return false;
        }
    }

    /** An account without permission to read the version is authenticated nevertheless; otherwise the next request fails. */
    private static ApiResponse readVersion(ApiClient client) throws ApiFailure {
        try {
            return client.probe("/version");
        } catch (ApiFailure failure) {
            if (failure.kind() == ApiFailure.ApiFailureKind.ANSWERED && failure.code() < 500) {
                return new ApiResponse(failure.code(), new byte[0], null);
            }
            throw failure;
        }
    }

    private static @Nullable Duration ahead(ApiResponse reading, Instant now) {
        Instant serverTime = reading.serverTime();
        // The header has a resolution of one second, so half of one is added.
        return serverTime == null ? null : Duration.between(now, serverTime.plusMillis(500));
    }

    /** Whether an object or its kind is missing; false if it may not be read. */
    private static boolean missing(KubeApi api, ApiRequest request) throws ApiFailure {
        try {
            WireJson.response(api.send(request), "an object");
            return false;
        } catch (ApiFailure failure) {
            if (failure.isForbidden() || failure.isNotFound()) {
                return failure.isNotFound();
            }
            throw failure;
        }
    }

    /** Why nodes would not know the API server, as rendering finds it; empty if they would, or if cluster-info may not be read. */
    private static List<ProblemFinding> apiServerProblems(KubeApi api, String override) throws ApiFailure {
        try {
            String kubeconfig = clusterInfo(api);
            List<EndpointSlice> slices = ApiServerDiscovery.isUsable(kubeconfig) ? List.of() : slices(api);
            ApiServerDiscovery.find(new ApiServerDiscovery.Sources(kubeconfig, slices, ""), override);
            return List.of();
        } catch (TenantMistake mistake) {
            return mistake.findings();
        } catch (IOException e) {
            throw WireJson.unexpected("a ConfigMap or EndpointSlice");
        } catch (ApiFailure failure) {
            if (failure.isForbidden()) {
                return List.of();
            }
            throw failure;
        }
    }

    /** The kubeconfig in cluster-info, null if missing; read as the hub does, whose role does not permit to get the ConfigMap. */
    private static @Nullable String clusterInfo(KubeApi api) throws ApiFailure, IOException {
        byte[] found = api.send(ApiRequest.list(
                Resource.CONFIG_MAPS, "kube-public", Map.of("fieldSelector", "metadata.name=cluster-info")));
        JsonNode item = WireJson.response(found, "a list").path("items").path(0);
        return item.isMissingNode()
                ? null
                : WorkerObjectDecoders.clusterInfo(item.traverse()).object();
    }

    /** The API server's EndpointSlices; none if they may not be read, as rendering sees none then. */
    private static List<EndpointSlice> slices(KubeApi api) throws ApiFailure, IOException {
        Map<String, String> service = Map.of("labelSelector", "kubernetes.io/service-name=kubernetes");
        List<EndpointSlice> slices = new ArrayList<>();
        try {
            byte[] found = api.send(ApiRequest.list(Resource.ENDPOINT_SLICES, "default", service));
            for (JsonNode item : WireJson.response(found, "a list").path("items")) {
                EndpointSlice slice =
                        WorkerObjectDecoders.endpointSlice(item.traverse()).object();
                if (slice != null) {
                    slices.add(slice);
                }
            }
        } catch (ApiFailure failure) {
            if (!failure.isForbidden() && !failure.isNotFound()) {
                throw failure;
            }
        }
        return slices;
    }

    private Duration since(long begunNanos) {
        return Duration.ofNanos(timers.nanoTime() - begunNanos);
    }
}

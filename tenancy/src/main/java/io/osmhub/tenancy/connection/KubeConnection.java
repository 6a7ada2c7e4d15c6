package io.osmhub.tenancy.connection;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ApiResponse;
import io.osmhub.tenancy.connection.ConnectionFacts.PeerLease;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.management.Leases;
import io.osmhub.tenancy.management.ObservedRenewals;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A connection to an API server. Sends its initial requests concurrently over one connection. */
final class KubeConnection implements VerifiedConnection {
    private static final String KUBE_SYSTEM = "kube-system";
    private static final Duration PEER_IS_GONE = Duration.ofSeconds(60);
    /** While OSM runs, its Lease is read more often than permissions are reviewed. */
    private static final Duration PERMISSIONS_KNOWN = Duration.ofSeconds(30);

    private final ApiClient client;
    private final PermissionReview permissionReview;
    private final Scheduler scheduler;
    private final Executor executor;
    /** Those of the server until verified. */
    private volatile ConnectionFacts facts;

    private volatile @Nullable AccessReview reviewed;
    private volatile long reviewedAt;
    /** Of OSM's Leases. */
    private final ObservedRenewals renewals = new ObservedRenewals();

    private KubeConnection(ApiClient client, ConnectionFacts facts, Scheduler scheduler, Executor executor) {
        this.client = client;
        this.permissionReview = new PermissionReview(client.api(), executor);
        this.facts = facts;
        this.scheduler = scheduler;
        this.executor = executor;
    }

    /** Verifies a connection of which the first request succeeded. On failure, the caller still owns the client. */
    static KubeConnection verify(
            ApiClient client, ValidatedKubeconfig kubeconfig, ServerInfo server, Scheduler scheduler, Executor executor)
            throws ApiFailure {
        ConnectionFacts known = ConnectionFacts.unknown(ConnectionMessages.endpoint(kubeconfig), "")
                .with(server);
        KubeConnection connection = new KubeConnection(client, known, scheduler, executor);
        var clusterId = ConcurrentRequest.start(connection::clusterId, executor);
        var user = ConcurrentRequest.start(connection.permissionReview::reviewUser, executor);
        AccessReview review = connection.review();
        String reported = ConcurrentRequest.join(user);
        connection.facts = known.with(review)
                .of(ConcurrentRequest.join(clusterId), reported.isEmpty() ? kubeconfig.userName() : reported);
        return connection;
    }

    /** The first request verifies TLS and authentication. */
    static ServerInfo readVersion(ConcurrentRequest<ApiResponse> request, Scheduler scheduler) throws ApiFailure {
        try {
            ApiResponse version = request.send();
            return new ServerInfo(
                    json(version.body()).path("gitVersion").asText(""), ahead(version.serverTime(), scheduler.now()));
        } catch (ApiFailure failure) {
            if (failure.isForbidden() || failure.isNotFound()) {
                // Authenticated; only the version is unknown.
                return new ServerInfo("", null);
            }
            throw failure;
        }
    }

    /** Clock difference according to the Date header, which has a resolution of one second, so half of one is added. */
    private static @Nullable Duration ahead(@Nullable Instant serverTime, Instant now) {
        return serverTime == null ? null : Duration.between(now, serverTime.plusMillis(500));
    }

    private String clusterId() throws ApiFailure {
        try {
            Namespace namespace = client.api()
                    .<@Nullable Namespace>call(fabric8 ->
                            fabric8.namespaces().withName(KUBE_SYSTEM).get());
            ObjectMeta metadata = namespace == null ? null : namespace.getMetadata();
            return Objects.requireNonNullElse(metadata == null ? null : metadata.getUid(), "");
        } catch (ApiFailure failure) {
            return emptyIfRefused(failure);
        }
    }

    private static String emptyIfRefused(ApiFailure failure) throws ApiFailure {
        if (failure.isForbidden() || failure.isNotFound()) {
            return "";
        }
        throw failure;
    }

    @Override
    public AccessReview review() throws ApiFailure {
        AccessReview last = reviewed;
        if (last != null && last.peer() != null && scheduler.nanoTime() - reviewedAt < PERMISSIONS_KNOWN.toNanos()) {
            return new AccessReview(last.missing(), last.scopedFetch(), peer().orElse(null));
        }
        var peer = ConcurrentRequest.start(this::peer, executor);
        List<Permission> needed = new ArrayList<>(RequiredPermissions.list());
        needed.addAll(RequiredPermissions.ofScopedFetch());
        List<Permission> missing = withoutSubstituted(permissionReview.missing(needed));
        AccessReview review = new AccessReview(
                missing.stream().filter(RequiredPermissions.list()::contains).toList(),
                missing.stream().noneMatch(RequiredPermissions.ofScopedFetch()::contains),
                ConcurrentRequest.join(peer).orElse(null));
        reviewedAt = scheduler.nanoTime();
        reviewed = review;
        return review;
    }

    private List<Permission> withoutSubstituted(List<Permission> missing) throws ApiFailure {
        List<Permission> substitutes = missing.stream()
                .flatMap(permission -> RequiredPermissions.substitutes(permission).stream())
                .distinct()
                .toList();
        if (substitutes.isEmpty()) {
            return missing;
        }
        List<Permission> unavailable = withoutSubstituted(permissionReview.missing(substitutes));
        return missing.stream()
                .filter(permission -> {
                    List<Permission> together = RequiredPermissions.substitutes(permission);
                    return together.isEmpty() || together.stream().anyMatch(unavailable::contains);
                })
                .toList();
    }

    /**
     * OSM's Lease while OSM renews it; a hub may hold it too, or have released it. OSM is gone once the Lease stays the same for its
     * duration, whatever the clock of OSM's machine is. Of a Lease seen for the first time, only the server's clock tells that.
     */
    private Optional<PeerLease> peer() throws ApiFailure {
        for (String name : RequiredPermissions.PEER_LEASES) {
            try {
                Lease lease = Leases.find(client.api(), KUBE_SYSTEM, name);
                if (lease == null) {
                    continue;
                }
                String holder = Leases.holder(lease);
                Instant renewed = Leases.renewTime(lease);
                Instant serverNow = scheduler.now().plus(facts.clockAhead());
                if (!holder.isEmpty()
                        && !Leases.isHub(holder)
                        && renewed != null
                        && renewed.plus(PEER_IS_GONE).isAfter(serverNow)
                        && !hasEnded(name, holder + " " + renewed, Leases.duration(lease, PEER_IS_GONE))) {
                    return Optional.of(new PeerLease(name, holder));
                }
            } catch (ApiFailure failure) {
                emptyIfRefused(failure);
            }
        }
        return Optional.empty();
    }

    private boolean hasEnded(String lease, String renewal, Duration duration) {
        return renewals.unchangedFor(lease, renewal, scheduler.nanoTime()).compareTo(duration) >= 0;
    }

    private static JsonNode json(byte[] body) throws ApiFailure {
        try {
            return WireJson.read(body);
        } catch (IOException e) {
            throw WireJson.unexpected("JSON, so not a Kubernetes API server");
        }
    }

    @Override
    public KubeApi api() {
        return client.api();
    }

    @Override
    public ConnectionFacts facts() {
        return facts;
    }

    @Override
    public CompletableFuture<Integer> ping(Duration within) {
        return client.ping(within);
    }

    @Override
    public ServerInfo probe() throws ConnectFailure {
        try {
            return readVersion(() -> client.probe("/version"), scheduler);
        } catch (ApiFailure failure) {
            throw ConnectFailure.of(failure, client.lastCertificateFailure());
        }
    }

    @Override
    public boolean isConnected() {
        return client.isConnected();
    }

    @Override
    public void close() {
        client.close();
    }
}

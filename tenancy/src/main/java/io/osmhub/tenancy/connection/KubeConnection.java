package io.osmhub.tenancy.connection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.ApiResponse;
import io.osmhub.tenancy.client.NarrowRoleKubeApi;
import io.osmhub.tenancy.connection.ConnectionFacts.PeerLease;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.lease.LeaseConfig;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A connection to an API server. Sends its initial requests concurrently over one connection. */
final class KubeConnection implements VerifiedConnection {
    private static final String KUBE_SYSTEM = "kube-system";
    private static final Duration PEER_IS_GONE = Duration.ofSeconds(60);
    /** While OSM runs, its Lease is read more often than permissions are reviewed. */
    private static final Duration PERMISSIONS_KNOWN = Duration.ofSeconds(30);

    private final ApiClient client;
    private final PermissionReview reviews;
    private final ConnectionFacts facts;
    private final Scheduler timers;
    private final Executor threads;
    private final KubeApi api;
    private volatile @Nullable AccessReview reviewed;
    private volatile long reviewedAt;
    /** OSM's Leases as they were when last seen to change, by name. */
    private final Map<String, SeenLease> seen;

    /** @param since monotonic time, in nanoseconds */
    private record SeenLease(String renewal, long since) {}

    private KubeConnection(
            ApiClient client, ConnectionFacts facts, Scheduler timers, Executor threads, Map<String, SeenLease> seen) {
        this.client = client;
        this.reviews = new PermissionReview(client.api());
        this.facts = facts;
        this.timers = timers;
        this.threads = threads;
        this.seen = seen;
        this.api = new NarrowRoleKubeApi(client.api(), timers);
    }

    /** Verifies a connection. On failure, the caller still owns the client. */
    static KubeConnection prove(ApiClient client, ValidatedKubeconfig kubeconfig, Scheduler timers, Executor threads)
            throws ApiFailure {
        ServerInfo greeting = greeting(() -> client.read("/version"), timers);
        KubeConnection asking = new KubeConnection(
                client, unknown(kubeconfig).with(greeting), timers, threads, new ConcurrentHashMap<>());
        var id = asking.start(asking::clusterId);
        var user = asking.start(() -> asking.user(kubeconfig));
        AccessReview review = asking.review();
        ConnectionFacts facts = new ConnectionFacts(
                ConnectionMessages.endpoint(kubeconfig),
                greeting.version(),
                join(id),
                join(user),
                review.missing(),
                review.scopedFetch(),
                review.peer(),
                greeting.clockAhead());
        return new KubeConnection(client, facts, timers, threads, asking.seen);
    }

    private static ConnectionFacts unknown(ValidatedKubeconfig kubeconfig) {
        return new ConnectionFacts(
                ConnectionMessages.endpoint(kubeconfig), "", "", "", List.of(), false, null, Duration.ZERO);
    }

    /** The first request verifies TLS and authentication. */
    private static ServerInfo greeting(ApiQuery<ApiResponse> question, Scheduler timers) throws ApiFailure {
        try {
            ApiResponse version = question.ask();
            return new ServerInfo(
                    json(version.body()).path("gitVersion").asText(""), ahead(version.serverTime(), timers.now()));
        } catch (ApiFailure failure) {
            if (failure.isForbidden() || failure.isNotFound()) {
                // Authenticated; only the version is unknown.
                return new ServerInfo("", Duration.ZERO);
            }
            throw failure;
        }
    }

    /** Clock difference according to the Date header, which has a resolution of one second, so half of one is added. */
    private static Duration ahead(@Nullable Instant serverTime, Instant now) {
        return serverTime == null ? Duration.ZERO : Duration.between(now, serverTime.plusMillis(500));
    }

    private String clusterId() throws ApiFailure {
        try {
            return json(client.api().send(ApiRequest.get(Resource.NAMESPACES, "", KUBE_SYSTEM)))
                    .path("metadata")
                    .path("uid")
                    .asText("");
        } catch (ApiFailure failure) {
            return emptyIfRefused(failure);
        }
    }

    /** API servers before 1.28 do not support SelfSubjectReview; then it is the kubeconfig's user name. */
    private String user(ValidatedKubeconfig kubeconfig) throws ApiFailure {
        String user;
        try {
            ObjectNode review = WireJson.object();
            review.put("apiVersion", Resource.SELF_SUBJECT_REVIEWS.apiVersion()).put("kind", "SelfSubjectReview");
            user = post(Resource.SELF_SUBJECT_REVIEWS, review)
                    .path("status")
                    .path("userInfo")
                    .path("username")
                    .asText("");
        } catch (ApiFailure failure) {
            user = emptyIfRefused(failure);
        }
        return user.isEmpty() ? kubeconfig.userName() : user;
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
        if (last != null && last.peer() != null && timers.nanoTime() - reviewedAt < PERMISSIONS_KNOWN.toNanos()) {
            return new AccessReview(last.missing(), last.scopedFetch(), peer().orElse(null));
        }
        var peer = start(this::peer);
        Map<String, GrantedRules> granted = grantedRules();
        List<Permission> missing = new ArrayList<>();
        for (Permission permission : missing(RequiredPermissions.list(), granted)) {
            List<Permission> substitutes = RequiredPermissions.substitutes(permission);
            if (substitutes.isEmpty() || !isGranted(substitutes, granted)) {
                missing.add(permission);
            }
        }
        boolean scopedFetch =
                missing(RequiredPermissions.ofScopedFetch(), granted).isEmpty();
        AccessReview review = new AccessReview(missing, scopedFetch, join(peer).orElse(null));
        reviewedAt = timers.nanoTime();
        reviewed = review;
        return review;
    }

    /** By namespace. Cluster-wide rules apply to every namespace, so only those are reviewed in which they do not suffice. */
    private Map<String, GrantedRules> grantedRules() throws ApiFailure {
        GrantedRules clusterWide = reviews.rules(Permission.NO_NAMESPACE);
        Map<String, CompletableFuture<GrantedRules>> asked = new HashMap<>();
        for (String namespace : RequiredPermissions.namespaces(permission -> !clusterWide.allows(permission))) {
            if (!namespace.equals(Permission.NO_NAMESPACE)) {
                asked.put(namespace, start(() -> reviews.rules(namespace)));
            }
        }
        Map<String, GrantedRules> granted = new HashMap<>();
        for (String namespace : RequiredPermissions.namespaces(any -> true)) {
            var review = asked.get(namespace);
            granted.put(namespace, review == null ? clusterWide : join(review));
        }
        return granted;
    }

    /** Also counts those that are substituted themselves. */
    private boolean isGranted(List<Permission> permissions, Map<String, GrantedRules> granted) throws ApiFailure {
        for (Permission permission : missing(permissions, granted)) {
            List<Permission> substitutes = RequiredPermissions.substitutes(permission);
            if (substitutes.isEmpty() || !isGranted(substitutes, granted)) {
                return false;
            }
        }
        return true;
    }

    /** Permissions that an authorizer did not list are reviewed individually and concurrently, unless its list was complete. */
    private List<Permission> missing(List<Permission> needed, Map<String, GrantedRules> granted) throws ApiFailure {
        Map<Permission, CompletableFuture<Boolean>> doubtful = new LinkedHashMap<>();
        for (Permission permission : needed) {
            GrantedRules rules = granted.get(permission.reviewedIn());
            if (rules == null) {
                throw new IllegalStateException("namespace without rules review");
            }
            if (!rules.allows(permission)) {
                doubtful.put(
                        permission,
                        rules.isIncomplete()
                                ? start(() -> reviews.isAllowed(permission))
                                : CompletableFuture.completedFuture(Boolean.FALSE));
            }
        }
        List<Permission> missing = new ArrayList<>();
        for (Map.Entry<Permission, CompletableFuture<Boolean>> one : doubtful.entrySet()) {
            if (!join(one.getValue())) {
                missing.add(one.getKey());
            }
        }
        return missing;
    }

    /**
     * OSM's Lease while OSM renews it; a hub may hold it too, or have released it. OSM is gone once the Lease stays the same for its
     * duration, whatever the clock of OSM's machine is. Of a Lease seen for the first time, only the server's clock tells that.
     */
    private Optional<PeerLease> peer() throws ApiFailure {
        for (String name : RequiredPermissions.PEER_LEASES) {
            try {
                JsonNode spec = json(client.api().send(ApiRequest.get(Resource.LEASES, KUBE_SYSTEM, name)))
                        .path("spec");
                Instant renewed = time(spec.path("renewTime").asText(""));
                String holder = spec.path("holderIdentity").asText("");
                Instant serverNow = timers.now().plus(facts.clockAhead());
                boolean osm = !holder.isEmpty() && !LeaseConfig.isHub(holder);
                if (osm
                        && renewed != null
                        && renewed.plus(PEER_IS_GONE).isAfter(serverNow)
                        && !hasEnded(name, holder + " " + renewed, spec)) {
                    return Optional.of(new PeerLease(name, holder));
                }
            } catch (ApiFailure failure) {
                emptyIfRefused(failure);
            }
        }
        return Optional.empty();
    }

    private boolean hasEnded(String lease, String renewal, JsonNode spec) {
        long now = timers.nanoTime();
        SeenLease same = seen.compute(
                lease,
                (name, before) ->
                        before != null && before.renewal().equals(renewal) ? before : new SeenLease(renewal, now));
        Duration life = Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong(PEER_IS_GONE.toSeconds()));
        return Duration.ofNanos(now - same.since()).compareTo(life) >= 0;
    }

    private static @Nullable Instant time(String text) {
        try {
            return text.isEmpty() ? null : DateTimeFormatter.ISO_DATE_TIME.parse(text, Instant::from);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private JsonNode post(Resource resource, ObjectNode body) throws ApiFailure {
        return json(client.api().send(ApiRequest.create(resource, "", WireJson.text(body))));
    }

    private static JsonNode json(byte[] body) throws ApiFailure {
        try {
            return WireJson.read(body);
        } catch (IOException e) {
            throw WireJson.unexpected("JSON, so not a Kubernetes API server");
        }
    }

    private interface ApiQuery<T> {
        T ask() throws ApiFailure;
    }

    private <T> CompletableFuture<T> start(ApiQuery<T> question) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return question.ask();
                    } catch (ApiFailure failure) {
                        throw new CompletionException(failure);
                    }
                },
                threads);
    }

    private static <T> T join(CompletableFuture<T> answer) throws ApiFailure {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ApiFailure failure) {
                throw failure;
            }
            throw e;
        }
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
        return client.ping(within);
    }

    @Override
    public ServerInfo probe() throws ConnectFailure {
        try {
            return greeting(() -> client.probe("/version"), timers);
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

package io.osmhub.tenancy.connection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.client.ApiClient;
import io.osmhub.tenancy.client.Reading;
import io.osmhub.tenancy.connection.ConnectionFacts.PeerLease;
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
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A connection to a real API server. What it asks at the beginning is asked at once, over the one connection. */
final class KubeLink implements Link {
    private static final String KUBE_SYSTEM = "kube-system";
    private static final Duration PEER_IS_GONE = Duration.ofSeconds(60);

    private final ApiClient client;
    private final ConnectionFacts facts;
    private final Timers timers;
    private final Executor threads;

    private KubeLink(ApiClient client, ConnectionFacts facts, Timers timers, Executor threads) {
        this.client = client;
        this.facts = facts;
        this.timers = timers;
        this.threads = threads;
    }

    /** Asks an API server what the hub needs to know. The client stays the caller's when this fails. */
    static KubeLink prove(ApiClient client, VettedKubeconfig kubeconfig, Timers timers, Executor threads)
            throws ApiFailure {
        Greeting greeting = greeting(() -> client.read("/version"), timers);
        KubeLink asking = new KubeLink(client, unknown(kubeconfig).with(greeting), timers, threads);
        var id = asking.start(asking::clusterId);
        var user = asking.start(() -> asking.user(kubeconfig));
        Review review = asking.review();
        ConnectionFacts facts = new ConnectionFacts(
                Wording.endpoint(kubeconfig),
                greeting.version(),
                join(id),
                join(user),
                review.missing(),
                review.scopedFetch(),
                review.peer(),
                greeting.clockAhead());
        return new KubeLink(client, facts, timers, threads);
    }

    private static ConnectionFacts unknown(VettedKubeconfig kubeconfig) {
        return new ConnectionFacts(Wording.endpoint(kubeconfig), "", "", "", List.of(), false, null, Duration.ZERO);
    }

    /** The first request: TLS and sign-in are proven by it. */
    private static Greeting greeting(Question<Reading> question, Timers timers) throws ApiFailure {
        try {
            Reading version = question.ask();
            return new Greeting(
                    json(version.body()).path("gitVersion").asText(""), ahead(version.serverTime(), timers.now()));
        } catch (ApiFailure failure) {
            if (failure.isForbidden() || failure.isNotFound()) {
                // Signed in all the same; only the version stays unknown.
                return new Greeting("", Duration.ZERO);
            }
            throw failure;
        }
    }

    /** Clock difference from the time that an answer told; the header has whole seconds, so half of one is added. */
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

    /** API servers before 1.28 do not tell; then it is the name that the kubeconfig uses. */
    private String user(VettedKubeconfig kubeconfig) throws ApiFailure {
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
    public Review review() throws ApiFailure {
        Map<String, CompletableFuture<GrantedRules>> asked = new HashMap<>();
        for (String namespace : RequiredPermissions.namespaces()) {
            asked.put(namespace, start(() -> rules(namespace)));
        }
        var peer = start(this::peer);
        Map<String, GrantedRules> granted = new HashMap<>();
        for (Map.Entry<String, CompletableFuture<GrantedRules>> namespace : asked.entrySet()) {
            granted.put(namespace.getKey(), join(namespace.getValue()));
        }
        List<Permission> missing = missing(RequiredPermissions.list(), granted);
        boolean scopedFetch =
                missing(RequiredPermissions.ofScopedFetch(), granted).isEmpty();
        return new Review(missing, scopedFetch, join(peer).orElse(null));
    }

    /** What an authorizer did not list and could not have listed for certain is asked for one by one, all at once. */
    private List<Permission> missing(List<Permission> needed, Map<String, GrantedRules> granted) throws ApiFailure {
        Map<Permission, CompletableFuture<Boolean>> doubtful = new LinkedHashMap<>();
        for (Permission permission : needed) {
            GrantedRules rules = granted.get(permission.reviewedIn());
            if (rules == null) {
                throw new IllegalStateException("every namespace of the list is asked for");
            }
            if (!rules.allow(permission)) {
                doubtful.put(
                        permission,
                        rules.isIncomplete()
                                ? start(() -> allowed(permission))
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

    private GrantedRules rules(String namespace) throws ApiFailure {
        ObjectNode review = WireJson.object();
        review.put("apiVersion", Resource.SELF_SUBJECT_RULES_REVIEWS.apiVersion())
                .put("kind", "SelfSubjectRulesReview");
        review.putObject("spec").put("namespace", namespace);
        return new GrantedRules(
                post(Resource.SELF_SUBJECT_RULES_REVIEWS, review).path("status"));
    }

    private boolean allowed(Permission permission) throws ApiFailure {
        ObjectNode review = WireJson.object();
        review.put("apiVersion", Resource.SELF_SUBJECT_ACCESS_REVIEWS.apiVersion())
                .put("kind", "SelfSubjectAccessReview");
        review.putObject("spec")
                .putObject("resourceAttributes")
                .put("verb", permission.verb())
                .put("group", permission.group())
                .put("resource", permission.resource())
                .put("namespace", permission.namespace())
                .put("name", permission.name());
        return post(Resource.SELF_SUBJECT_ACCESS_REVIEWS, review)
                .path("status")
                .path("allowed")
                .asBoolean(false);
    }

    /** The peer's Lease that was renewed within the last minute of the server's clock. */
    private Optional<PeerLease> peer() throws ApiFailure {
        for (String name : RequiredPermissions.PEER_LEASES) {
            try {
                JsonNode spec = json(client.api().send(ApiRequest.get(Resource.LEASES, KUBE_SYSTEM, name)))
                        .path("spec");
                Instant renewed = time(spec.path("renewTime").asText(""));
                Instant serverNow = timers.now().plus(facts.clockAhead());
                if (renewed != null && renewed.plus(PEER_IS_GONE).isAfter(serverNow)) {
                    return Optional.of(
                            new PeerLease(name, spec.path("holderIdentity").asText("")));
                }
            } catch (ApiFailure failure) {
                emptyIfRefused(failure);
            }
        }
        return Optional.empty();
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
            throw ApiFailure.noAnswer(
                    ApiFailure.Cause.UNREADABLE, "unexpected response: not JSON, so not a Kubernetes API server");
        }
    }

    /** A question to the API server. */
    private interface Question<T> {
        T ask() throws ApiFailure;
    }

    private <T> CompletableFuture<T> start(Question<T> question) {
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
    public Greeting probe() throws ConnectFailure {
        try {
            return greeting(() -> client.probe("/version"), timers);
        } catch (ApiFailure failure) {
            throw ConnectFailure.of(failure, client.lastTlsRefusal());
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

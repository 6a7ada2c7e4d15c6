package io.osmhub.workersync.fake;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.SimulatedApiServer;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.auth.Authorizer.AuthorizationAttributes;
import io.osmhub.sim.http.EventLoop;
import io.osmhub.sim.http.SimulatedRequest;
import io.osmhub.sim.http.SimulatedRequest.HttpContent;
import io.osmhub.sim.http.SimulatedResponse;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.ErrorResponses;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The hub's view of a simulated API server in the same process, on a {@link VirtualTime}: records requests, and adds faults by script.
 * Single-threaded.
 */
public final class SimulatedServer implements ServerHandler {
    public static final ObjectMapper JSON = new ObjectMapper();

    private static final Set<Resource> CLUSTER_SCOPED = Set.of(Resource.KKP_CLUSTERS, Resource.KKP_CLUSTER_TEMPLATES);
    private static final Set<String> CUSTOM_GROUPS =
            Set.of("cluster.k8s.io", "operatingsystemmanager.k8c.io", "kubermatic.k8c.io", "osmhub.io");

    /** Outcome of a request instead of a normal response. */
    public enum Fault {
        /** Fails without effect. */
        REFUSED,
        /** Takes effect, but the response is lost. */
        ANSWER_LOST,
        /** Takes effect, another writer deletes the object, and the watch delivers both before the response. */
        DELETED_BEFORE_THE_ANSWER
    }

    /** Selects a fault; null for none. */
    @FunctionalInterface
    public interface Faults {
        @Nullable Fault of(ApiRequest request, int number);
    }

    private final VirtualTime time;
    private final VirtualLoop loop;
    private final SimulatedApiServer server;
    private final String hubToken;
    private final List<Stream> streams = new ArrayList<>();
    private final List<ApiRequest> requests = new ArrayList<>();
    private final Set<Resource> absent = new HashSet<>();
    private final Set<String> namespaces = new HashSet<>();
    private Faults faults = (request, number) -> null;
    private int refusals;
    private @Nullable ApiFailure everything;
    private @Nullable ApiFailure onWatches;
    private @Nullable ApiFailure onWrites;
    private Function<ApiRequest, @Nullable ApiFailure> rejections = request -> null;
    private boolean silent;
    private boolean endsWatchesAtOnce;
    private BiFunction<ApiRequest, byte[], byte[]> lies = (request, answer) -> answer;

    public SimulatedServer(VirtualTime time) {
        this.time = time;
        this.loop = new VirtualLoop(time);
        this.server = new SimulatedApiServer(time::now, loop, "", SimulationOptions.defaults());
        this.hubToken = server.tokenFor("system:serviceaccount:osm-hub:osm-hub", "system:authenticated");
        for (Resource resource : Resource.values()) {
            if (CUSTOM_GROUPS.contains(resource.group())) {
                define(resource);
            }
        }
    }

    private void define(Resource resource) {
        server.objects().create("""
                        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%1$s.%2$s"},
                         "spec":{"group":"%2$s","scope":"%3$s","names":{"kind":"%4$s","plural":"%1$s"},
                          "versions":[{"name":"%5$s","served":true,"storage":true,"subresources":{"status":{}},
                           "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
                        """.formatted(
                        resource.plural(),
                        resource.group(),
                        CLUSTER_SCOPED.contains(resource) ? "Cluster" : "Namespaced",
                        resource.kind(),
                        resource.apiVersion().substring(resource.group().length() + 1)));
    }

    // Scripting

    /** All requests since {@link #forgetRequests}. */
    public List<ApiRequest> requests() {
        return requests;
    }

    public long count(Verb verb) {
        return requests.stream().filter(request -> request.verb() == verb).count();
    }

    /** Requests that write, without dry runs. */
    public long writes() {
        return requests.stream()
                .filter(request -> request.verb().writes() && !request.isDryRun())
                .count();
    }

    public void forgetRequests() {
        requests.clear();
    }

    public void faults(Faults some) {
        faults = some;
    }

    /** Requests that the caller lacks the permission for; reviews of its own permissions agree with it. Running watches continue. */
    public void forbid(Predicate<ApiRequest> some) {
        server.deny(attributes -> {
            ApiRequest request = request(attributes);
            return request != null && some.test(request);
        });
    }

    /** Requests that were answered 403. */
    public int refusals() {
        return refusals;
    }

    /** Every request fails with this, and running watches break; null ends that. */
    public void failEverything(@Nullable ApiFailure failure) {
        everything = failure;
        if (failure != null) {
            breakWatches(failure);
        }
    }

    /** Every write except of Events fails with this; null ends that. */
    public void failWrites(@Nullable ApiFailure failure) {
        onWrites = failure;
    }

    /** Requests and new watches that are rejected, as by an authorizer; null for the others. */
    public void reject(Function<ApiRequest, @Nullable ApiFailure> which) {
        rejections = which;
    }

    /** Alters responses other than those of watches; the stored objects stay as they are. */
    public void lie(BiFunction<ApiRequest, byte[], byte[]> how) {
        lies = how;
    }

    /** New watches fail with this; null ends that. */
    public void failWatches(@Nullable ApiFailure failure) {
        onWatches = failure;
    }

    public void breakWatches(ApiFailure failure) {
        for (Stream stream : List.copyOf(streams)) {
            stream.end(() -> stream.lines.onFailed(failure));
        }
    }

    /** Running and new watches receive nothing, not even a response. */
    public void fallSilent(boolean now) {
        silent = now;
        if (!now) {
            // Waiting clients get no response: the connection was lost.
            streams.clear();
        }
    }

    public void endWatchesAtOnce(boolean now) {
        endsWatchesAtOnce = now;
    }

    /** Sends an invalid event to all watches. */
    public void sendGarbage(String text) {
        streams.forEach(stream -> stream.deliver(text.getBytes(UTF_8)));
    }

    /** Drops the history: older versions get 410. */
    public void compact() {
        server.objects().compact();
    }

    /** Whether the kind is not served: 404. */
    public void withdraw(Resource resource, boolean now) {
        if (now) {
            absent.add(resource);
        } else {
            absent.remove(resource);
        }
    }

    public int watches() {
        return streams.size();
    }

    /** Stores an object as another writer, by kind and metadata of its JSON; creates its namespace. */
    public ObjectNode put(Resource resource, String json, String manager) {
        ObjectNode object = parse(json);
        ObjectNode metadata = metadata(object);
        String namespace = metadata.path("namespace").asText("");
        String name = metadata.path("name").asText();
        metadata.remove(List.of("resourceVersion", "managedFields"));
        String kind = resource == Resource.ENDPOINTS ? "Endpoints" : resource.kind();
        object.put("kind", kind).put("apiVersion", resource.apiVersion());
        ensureNamespace(namespace);
        ObjectNode known = object(resource, namespace, name);
        if (known != null) {
            metadata.set("resourceVersion", known.at("/metadata/resourceVersion"));
        }
        ApiRequest write = known != null
                ? ApiRequest.update(resource, namespace, name, object.toString())
                : ApiRequest.create(resource, namespace, object.toString());
        JsonNode stored = admin(write.withFieldManager(manager));
        JsonNode status = object.path("status");
        if (status.isObject() && !status.equals(stored.path("status"))) {
            ApiRequest patch = ApiRequest.patch(
                    resource,
                    namespace,
                    name,
                    ApiRequest.MERGE_PATCH,
                    JSON.createObjectNode().set("status", status).toString());
            stored = admin(patch.withSubresource("status").withFieldManager(manager));
        }
        return (ObjectNode) stored;
    }

    // Every namespace exists from its first use, so that tests need not create them.
    private void ensureNamespace(String name) {
        if (!name.isEmpty() && namespaces.add(name) && object(Resource.NAMESPACES, "", name) == null) {
            admin(ApiRequest.create(Resource.NAMESPACES, "", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name)));
        }
    }

    /** The UID of a pod, which is created on first use: the server deletes objects whose owner does not exist. */
    public String podUid(String namespace, String name) {
        ensureNamespace(namespace);
        ObjectNode pod = parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"%s","name":"%s"}}""".formatted(namespace, name));
        return server.objects().createIfAbsent(pod).at("/metadata/uid").asText();
    }

    /** Deletes as another writer. */
    public void remove(Resource resource, String namespace, String name) {
        if (object(resource, namespace, name) != null) {
            admin(new ApiRequest(Verb.DELETE, resource, namespace, name, "", new TreeMap<>(), "", null));
        }
    }

    public @Nullable ObjectNode object(Resource resource, String namespace, String name) {
        SimulatedResponse response = exchange(ApiRequest.get(resource, namespace, name), server.adminToken());
        return response.code() == 404 ? null : tree(response);
    }

    public List<ObjectNode> all(Resource resource) {
        List<ObjectNode> all = new ArrayList<>();
        admin(ApiRequest.list(resource, "", Map.of())).path("items").forEach(item -> all.add((ObjectNode) item));
        return all;
    }

    /** Sends a request of the test, which must succeed. */
    private ObjectNode admin(ApiRequest request) {
        SimulatedResponse response = exchange(request, server.adminToken());
        if (response.code() >= 300) {
            throw new AssertionError(request + ": " + new String(response.body(), UTF_8));
        }
        return tree(response);
    }

    private SimulatedResponse exchange(ApiRequest request, String token) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Authorization", "Bearer " + token);
        headers.put("Content-Type", request.contentType());
        String body = Objects.requireNonNullElse(request.body(), "");
        return server.handle(new SimulatedRequest(
                new HttpContent(method(request.verb()), request.uri(), headers, body.getBytes(UTF_8), null)));
    }

    private static String method(Verb verb) {
        return switch (verb) {
            case GET, LIST, WATCH -> "GET";
            case CREATE -> "POST";
            case UPDATE -> "PUT";
            case PATCH -> "PATCH";
            case DELETE -> "DELETE";
        };
    }

    private SimulatedResponse checked(SimulatedResponse response) throws ApiFailure {
        if (response.code() == 403) {
            refusals++;
        }
        if (response.code() >= 300) {
            throw ErrorResponses.of(
                    response.code(), response.body(), response.headers().get("Retry-After"), time.now());
        }
        return response;
    }

    /** Null for a resource that the hub does not use. */
    private static @Nullable ApiRequest request(AuthorizationAttributes attributes) {
        return Arrays.stream(Resource.values())
                .filter(resource -> resource.plural().equals(attributes.resource())
                        && resource.group().equals(attributes.group()))
                .map(resource -> new ApiRequest(
                        verb(attributes.verb()),
                        resource,
                        attributes.namespace(),
                        attributes.name(),
                        attributes.subresource(),
                        new TreeMap<>(),
                        "",
                        null))
                .findFirst()
                .orElse(null);
    }

    // KubeApi

    @Override
    public byte[] send(ApiRequest request) throws ApiFailure {
        requests.add(request);
        if (everything != null) {
            throw everything;
        }
        if (onWrites != null
                && request.verb().writes()
                && request.resource() != Resource.EVENTS
                && !isReview(request.resource())) {
            throw onWrites;
        }
        if (absent.contains(request.resource())) {
            throw status(404, "NotFound", "the server could not find the requested resource");
        }
        ApiFailure rejection = rejections.apply(request);
        if (rejection != null) {
            throw rejection;
        }
        Fault fault = faults.of(request, requests.size());
        if (fault == Fault.REFUSED) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.NO_CONNECTION, "connection reset by peer");
        }
        if (request.verb() == Verb.CREATE || request.verb() == Verb.PATCH) {
            ensureNamespace(request.namespace());
        }
        byte[] answer = lies.apply(request, checked(exchange(request, hubToken)).body());
        if (fault == Fault.ANSWER_LOST) {
            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer within 10 s");
        }
        if (fault == Fault.DELETED_BEFORE_THE_ANSWER) {
            JsonNode written = parse(new String(answer, UTF_8)).path("metadata");
            remove(request.resource(), request.namespace(), written.path("name").asText());
            time.settle();
        }
        return answer;
    }

    private static boolean isReview(Resource resource) {
        return resource == Resource.SELF_SUBJECT_REVIEWS
                || resource == Resource.SELF_SUBJECT_RULES_REVIEWS
                || resource == Resource.SELF_SUBJECT_ACCESS_REVIEWS;
    }

    private static Verb verb(String name) {
        return Arrays.stream(Verb.values())
                .filter(verb -> verb.wireName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    // Watches

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        requests.add(request);
        Stream stream = new Stream(lines);
        streams.add(stream);
        if (silent) {
            return stream;
        }
        ApiFailure failure =
                everything != null ? everything : onWatches != null ? onWatches : rejections.apply(request);
        if (failure == null && absent.contains(request.resource())) {
            failure = status(404, "NotFound", "the server could not find the requested resource");
        }
        if (failure == null) {
            try {
                stream.open(checked(exchange(request, hubToken)));
            } catch (ApiFailure refused) {
                failure = refused;
            }
        }
        if (failure != null) {
            ApiFailure refused = failure;
            stream.end(() -> lines.onFailed(refused));
        } else if (endsWatchesAtOnce) {
            stream.end(lines::onEnded);
        }
        return stream;
    }

    /** One watch. Delivers events as tasks, like an event loop. */
    private final class Stream implements Watch {
        private final WatchLineHandler lines;
        private Runnable close = () -> {};
        private boolean opening = true;
        private boolean over;

        Stream(WatchLineHandler lines) {
            this.lines = lines;
        }

        void open(SimulatedResponse response) {
            deliver(lines::onOpened);
            close = Objects.requireNonNull(response.stream()).start(loop, this::send, () -> end(lines::onEnded));
            opening = false;
        }

        @Override
        public void stop() {
            over = true;
            close.run();
            streams.remove(this);
        }

        void deliver(Runnable what) {
            time.execute(() -> deliverNow(what));
        }

        private void deliverNow(Runnable what) {
            if (!over && !silent) {
                what.run();
            }
        }

        void end(Runnable how) {
            streams.remove(this);
            close.run();
            deliver(() -> {
                over = true;
                how.run();
            });
        }

        void deliver(byte[] line) {
            deliver(() -> lines.onLine(line, UnaryOperator.identity()));
        }

        // The events of a running watch arrive as tasks already.
        private CompletionStage<Void> send(byte[] line) {
            if (opening) {
                deliver(line);
            } else {
                deliverNow(() -> lines.onLine(line, UnaryOperator.identity()));
            }
            return CompletableFuture.completedStage(null);
        }
    }

    private record VirtualLoop(VirtualTime time) implements EventLoop {
        @Override
        public void execute(Runnable task) {
            time.execute(task);
        }

        @Override
        public Runnable schedule(Duration delay, Runnable task) {
            return time.schedule(delay, task)::cancel;
        }
    }

    // JSON

    public static ApiFailure status(int code, String reason, String message) {
        return new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, code, reason, message, null);
    }

    private static ObjectNode metadata(ObjectNode object) {
        return object.withObjectProperty("metadata");
    }

    private static ObjectNode tree(SimulatedResponse response) {
        return parse(new String(response.body(), UTF_8));
    }

    public static ObjectNode parse(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON", e);
        }
    }
}

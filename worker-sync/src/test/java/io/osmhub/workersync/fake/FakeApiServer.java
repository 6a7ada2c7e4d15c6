package io.osmhub.workersync.fake;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory Kubernetes API server: objects, resource versions, conflicts, selectors, pages, watches with bookmarks, 410,
 * finalizers, permissions, and scripted faults. Has no schemas. Single-threaded, on a {@link VirtualTime}.
 */
public final class FakeApiServer implements ServerHandler {
    public static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration BOOKMARKS = Duration.ofSeconds(60);

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

    private record Key(Resource resource, String namespace, String name) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = resource.compareTo(other.resource);
            order = order != 0 ? order : namespace.compareTo(other.namespace);
            return order != 0 ? order : name.compareTo(other.name);
        }
    }

    private record Event(long version, Key key, String type, ObjectNode object) {}

    private final VirtualTime time;
    private final TreeMap<Key, ObjectNode> objects = new TreeMap<>();
    private final List<Event> history = new ArrayList<>();
    private final List<Stream> streams = new ArrayList<>();
    private final List<ApiRequest> requests = new ArrayList<>();
    private final Set<Resource> absent = new HashSet<>();
    private long version = 100;
    private long oldest = 100;
    private long uids;
    private Faults faults = (request, number) -> null;
    private Predicate<ApiRequest> forbidden = request -> false;
    private int refusals;
    private @Nullable ApiFailure everything;
    private @Nullable ApiFailure onWatches;
    private @Nullable ApiFailure onWrites;
    private Function<ApiRequest, @Nullable ApiFailure> rejections = request -> null;
    private boolean silent;
    private boolean endsWatchesAtOnce;

    private BiFunction<ApiRequest, byte[], byte[]> lies = (request, answer) -> answer;

    public FakeApiServer(VirtualTime time) {
        this.time = time;
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
        forbidden = some;
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
        streams.forEach(stream -> stream.send(text.getBytes(UTF_8)));
    }

    /** Drops the history: older versions get 410. */
    public void compact() {
        history.clear();
        oldest = version;
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

    /** Stores an object as another writer, by kind and metadata of its JSON. */
    public ObjectNode put(Resource resource, String json, String manager) {
        ObjectNode object = parse(json);
        Key key = new Key(
                resource,
                object.path("metadata").path("namespace").asText(""),
                object.path("metadata").path("name").asText());
        ObjectNode known = objects.get(key);
        return known == null ? create(key, object, manager) : replace(key, known, object, manager);
    }

    /** Deletes as another writer. */
    public void remove(Resource resource, String namespace, String name) {
        Key key = new Key(resource, namespace, name);
        ObjectNode known = objects.get(key);
        if (known != null) {
            delete(key, known);
        }
    }

    public @Nullable ObjectNode object(Resource resource, String namespace, String name) {
        return objects.get(new Key(resource, namespace, name));
    }

    public List<ObjectNode> all(Resource resource) {
        return objects.entrySet().stream()
                .filter(entry -> entry.getKey().resource() == resource)
                .map(Map.Entry::getValue)
                .toList();
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
        ApiFailure denied = denied(request);
        if (denied != null) {
            throw denied;
        }
        byte[] answer = lies.apply(request, answer(request));
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

    private @Nullable ApiFailure denied(ApiRequest request) {
        if (!forbidden.test(request)) {
            return null;
        }
        refusals++;
        return status(
                403,
                "Forbidden",
                "User \"the-hub\" cannot " + request.verb().wireName() + " resource \""
                        + request.resource().plural() + "\" in the namespace \"" + request.namespace() + "\"");
    }

    private static boolean isReview(Resource resource) {
        return resource == Resource.SELF_SUBJECT_REVIEWS
                || resource == Resource.SELF_SUBJECT_RULES_REVIEWS
                || resource == Resource.SELF_SUBJECT_ACCESS_REVIEWS;
    }

    /** Reviews of the caller's own permissions. Lists no rules, so that each permission is reviewed. */
    private ObjectNode review(ApiRequest request) {
        ObjectNode review = parse(body(request));
        ObjectNode status = review.putObject("status");
        switch (request.resource()) {
            case SELF_SUBJECT_REVIEWS ->
                status.putObject("userInfo").put("username", "system:serviceaccount:osm-hub:osm-hub");
            case SELF_SUBJECT_RULES_REVIEWS -> status.put("incomplete", true).putArray("resourceRules");
            default -> {
                JsonNode asked = review.at("/spec/resourceAttributes");
                String plural = asked.path("resource").asText();
                boolean denied = Arrays.stream(Resource.values())
                        .filter(resource -> resource.plural().equals(plural)
                                && resource.group().equals(asked.path("group").asText()))
                        .anyMatch(resource -> forbidden.test(new ApiRequest(
                                verb(asked.path("verb").asText()),
                                resource,
                                asked.path("namespace").asText(),
                                asked.path("name").asText(),
                                asked.path("subresource").asText(""),
                                new TreeMap<>(),
                                "",
                                null)));
                status.put("allowed", !denied);
            }
        }
        return review;
    }

    private static Verb verb(String name) {
        return Arrays.stream(Verb.values())
                .filter(verb -> verb.wireName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private byte[] answer(ApiRequest request) throws ApiFailure {
        Key key = new Key(request.resource(), request.namespace(), request.name());
        return switch (request.verb()) {
            case GET -> bytes(known(key));
            case LIST -> list(request);
            case WATCH -> throw new IllegalArgumentException("a watch is not sent");
            case CREATE -> {
                if (isReview(request.resource())) {
                    yield bytes(review(request));
                }
                if (request.subresource().equals("token")) {
                    yield bytes(token(key, parse(body(request))));
                }
                ObjectNode object = parse(body(request));
                ObjectNode metadata = metadata(object);
                String name = metadata.path("name").asText("");
                if (name.isEmpty()) {
                    name = metadata.path("generateName").asText() + "x" + version;
                    metadata.put("name", name);
                }
                Key created = new Key(request.resource(), request.namespace(), name);
                if (objects.containsKey(created)) {
                    throw status(409, "AlreadyExists", name + " already exists");
                }
                metadata.put("namespace", request.namespace());
                yield bytes(request.isDryRun() ? object : create(created, object, manager(request)));
            }
            case UPDATE -> {
                ObjectNode known = known(key);
                ObjectNode object = parse(body(request));
                precondition(known, object.path("metadata"));
                yield bytes(replace(key, known, object, manager(request)));
            }
            case PATCH -> {
                if (request.contentType().equals(ApiRequest.APPLY_PATCH) && !objects.containsKey(key)) {
                    yield bytes(create(key, parse(body(request)), manager(request)));
                }
                ObjectNode known = known(key);
                ObjectNode patched = patched(request, known);
                yield bytes(request.isDryRun() ? patched : replace(key, known, patched, manager(request)));
            }
            case DELETE -> {
                ObjectNode known = known(key);
                String body = request.body();
                if (body != null) {
                    precondition(known, parse(body).path("preconditions"));
                }
                delete(key, known);
                yield bytes(known);
            }
        };
    }

    /** Response to a TokenRequest: an unsigned JSON Web Token with user and expiration. */
    private ObjectNode token(Key account, ObjectNode review) throws ApiFailure {
        String uid = metadata(known(account)).path("uid").asText();
        long now = time.now().getEpochSecond();
        long end = now + review.at("/spec/expirationSeconds").asLong();
        ObjectNode claims = JSON.createObjectNode();
        claims.put("sub", "system:serviceaccount:" + account.namespace() + ":" + account.name());
        claims.put("iat", now).put("exp", end).put("jti", "token-" + ++uids);
        claims.putObject("kubernetes.io").putObject("serviceaccount").put("uid", uid);
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        String token = encoder.encodeToString("{\"alg\":\"none\"}".getBytes(UTF_8)) + "."
                + encoder.encodeToString(claims.toString().getBytes(UTF_8)) + ".bm8tc2lnbmF0dXJl";
        review.putObject("status")
                .put("token", token)
                .put("expirationTimestamp", Instant.ofEpochSecond(end).toString());
        return review;
    }

    private static String manager(ApiRequest request) {
        return request.query().getOrDefault("fieldManager", "unknown");
    }

    private ObjectNode patched(ApiRequest request, ObjectNode known) throws ApiFailure {
        try {
            return switch (request.contentType()) {
                // Fields that a manager no longer applies are kept.
                case ApiRequest.MERGE_PATCH, ApiRequest.APPLY_PATCH -> {
                    ObjectNode patch = parse(body(request));
                    precondition(known, patch.path("metadata"));
                    yield (ObjectNode) merge(known.deepCopy(), patch);
                }
                case ApiRequest.JSON_PATCH -> {
                    ObjectNode patched = JsonPatch.apply(known.deepCopy(), JSON.readTree(body(request)));
                    // A version in a patch is a precondition, as in an update.
                    precondition(known, patched.path("metadata"));
                    yield patched;
                }
                default -> throw status(415, "UnsupportedMediaType", request.contentType());
            };
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("patch is not valid JSON", e);
        } catch (JsonPatch.TestFailed e) {
            throw status(422, "Invalid", "the server rejected our request due to an error in our request");
        }
    }

    private static JsonNode merge(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch;
        }
        ObjectNode object = target instanceof ObjectNode known ? known : JSON.createObjectNode();
        for (Map.Entry<String, JsonNode> change : changes.properties()) {
            if (change.getValue().isNull()) {
                object.remove(change.getKey());
            } else {
                JsonNode before = object.get(change.getKey());
                object.set(
                        change.getKey(), merge(before == null ? JSON.createObjectNode() : before, change.getValue()));
            }
        }
        return object;
    }

    private ObjectNode known(Key key) throws ApiFailure {
        ObjectNode known = objects.get(key);
        if (known == null) {
            throw status(404, "NotFound", key.resource().plural() + " \"" + key.name() + "\" not found");
        }
        return known;
    }

    private static void precondition(ObjectNode known, JsonNode wanted) throws ApiFailure {
        for (String field : List.of("uid", "resourceVersion")) {
            String value = wanted.path(field).asText("");
            if (!value.isEmpty()
                    && !value.equals(known.path("metadata").path(field).asText())) {
                throw status(409, "Conflict", "the object has been modified");
            }
        }
    }

    private ObjectNode create(Key key, ObjectNode object, String manager) {
        ObjectNode stored = object.deepCopy();
        ObjectNode metadata = metadata(stored);
        metadata.put("uid", "uid-" + ++uids);
        metadata.put("generation", 1);
        metadata.put(
                "creationTimestamp", time.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return store(key, stored, "ADDED", manager);
    }

    private ObjectNode replace(Key key, ObjectNode known, ObjectNode object, String manager) {
        ObjectNode stored = object.deepCopy();
        ObjectNode metadata = metadata(stored);
        for (String kept : List.of("uid", "creationTimestamp", "deletionTimestamp", "generation")) {
            if (known.path("metadata").has(kept)) {
                metadata.set(kept, known.path("metadata").get(kept));
            }
        }
        metadata.put("namespace", key.namespace());
        metadata.put("name", key.name());
        metadata.set("resourceVersion", known.path("metadata").get("resourceVersion"));
        metadata.set("managedFields", known.path("metadata").get("managedFields"));
        if (stored.equals(known)) {
            return known;
        }
        if (metadata.has("deletionTimestamp") && metadata.path("finalizers").isEmpty()) {
            objects.remove(key);
            return event(key, stored, "DELETED");
        }
        if (known.path("immutable").asBoolean(false) && !known.path("data").equals(stored.path("data"))) {
            throw new AssertionError("an immutable secret was updated: " + key);
        }
        return store(key, stored, "MODIFIED", manager);
    }

    private void delete(Key key, ObjectNode known) {
        if (!known.path("metadata").path("finalizers").isEmpty()) {
            ObjectNode marked = known.deepCopy();
            if (!metadata(marked).has("deletionTimestamp")) {
                metadata(marked)
                        .put(
                                "deletionTimestamp",
                                time.now().truncatedTo(ChronoUnit.SECONDS).toString());
                store(key, marked, "MODIFIED", "unknown");
            }
            return;
        }
        objects.remove(key);
        event(key, known.deepCopy(), "DELETED");
    }

    private ObjectNode store(Key key, ObjectNode object, String type, String manager) {
        if (metadata(object).path("finalizers").isEmpty()) {
            metadata(object).remove("finalizers");
        }
        ArrayNode managers = metadata(object).putArray("managedFields");
        managers.addObject()
                .put("manager", "somebody-earlier")
                .put("operation", "Update")
                .put("time", "2020-01-01T00:00:00Z")
                .putObject("fieldsV1")
                .putObject("f:data");
        ObjectNode fields = managers.addObject()
                .put("manager", manager)
                .put("operation", "Update")
                .put("time", time.now().truncatedTo(ChronoUnit.SECONDS).toString())
                .putObject("fieldsV1");
        ownBundles(object, fields);
        objects.put(key, object);
        return event(key, object, type);
    }

    /** For webhook configurations; a writer owns all bundles. */
    private static void ownBundles(ObjectNode object, ObjectNode fields) {
        for (JsonNode webhook : object.path("webhooks")) {
            if (webhook.path("clientConfig").has("caBundle")) {
                fields.withObjectProperty("f:webhooks")
                        .withObjectProperty(
                                "k:{\"name\":\"" + webhook.path("name").asText() + "\"}")
                        .withObjectProperty("f:clientConfig")
                        .putObject("f:caBundle");
            }
        }
    }

    private ObjectNode event(Key key, ObjectNode object, String type) {
        version++;
        metadata(object).put("resourceVersion", Long.toString(version));
        Event event = new Event(version, key, type, object.deepCopy());
        history.add(event);
        List.copyOf(streams).forEach(stream -> stream.offer(event));
        return object;
    }

    private byte[] list(ApiRequest request) {
        int limit = Integer.parseInt(request.query().getOrDefault("limit", "0"));
        String from = request.query().getOrDefault("continue", "");
        ObjectNode list = JSON.createObjectNode();
        ArrayNode items = list.putArray("items");
        ObjectNode metadata = list.putObject("metadata").put("resourceVersion", Long.toString(version));
        for (Map.Entry<Key, ObjectNode> entry : objects.entrySet()) {
            String place = entry.getKey().namespace() + "/" + entry.getKey().name();
            if (!Selectors.match(request, entry.getKey().resource(), entry.getValue())
                    || place.compareTo(from) <= 0 && !from.isEmpty()) {
                continue;
            }
            if (limit > 0 && items.size() == limit) {
                JsonNode last = items.get(limit - 1).path("metadata");
                metadata.put(
                        "continue",
                        last.path("namespace").asText() + "/"
                                + last.path("name").asText());
                break;
            }
            items.add(entry.getValue().deepCopy());
        }
        return bytes(list);
    }

    // Watches

    @Override
    public Watch watch(ApiRequest request, WatchLineHandler lines) {
        requests.add(request);
        Stream stream = new Stream(request, lines);
        if (silent) {
            streams.add(stream);
            return stream;
        }
        ApiFailure failure = everything != null ? everything : onWatches != null ? onWatches : denied(request);
        if (failure == null) {
            failure = rejections.apply(request);
        }
        if (failure == null && absent.contains(request.resource())) {
            failure = status(404, "NotFound", "the server could not find the requested resource");
        }
        long from = Long.parseLong(request.query().getOrDefault("resourceVersion", "0"));
        if (failure == null && from < oldest) {
            failure = status(410, "Expired", "too old resource version");
        }
        streams.add(stream);
        if (failure != null) {
            ApiFailure refused = failure;
            stream.end(() -> lines.onFailed(refused));
            return stream;
        }
        stream.deliver(lines::onOpened);
        history.stream().filter(event -> event.version() > from).forEach(stream::offer);
        if (endsWatchesAtOnce) {
            stream.end(lines::onEnded);
            return stream;
        }
        stream.bookmarkLater();
        long seconds = Long.parseLong(request.query().getOrDefault("timeoutSeconds", "1800"));
        time.schedule(Duration.ofSeconds(seconds), () -> {
            if (!silent) {
                stream.end(lines::onEnded);
            }
        });
        return stream;
    }

    /** One watch. Delivers events as tasks, like an event loop. */
    private final class Stream implements Watch {
        private final ApiRequest request;
        private final WatchLineHandler lines;
        private boolean over;

        Stream(ApiRequest request, WatchLineHandler lines) {
            this.request = request;
            this.lines = lines;
        }

        @Override
        public void stop() {
            over = true;
            streams.remove(this);
        }

        void deliver(Runnable what) {
            time.execute(() -> {
                if (!over && !silent) {
                    what.run();
                }
            });
        }

        void end(Runnable how) {
            streams.remove(this);
            deliver(() -> {
                over = true;
                how.run();
            });
        }

        void offer(Event event) {
            if (Selectors.match(request, event.key().resource(), event.object())) {
                ObjectNode line = JSON.createObjectNode();
                // As a real server may: the object first.
                line.set("object", event.object());
                line.put("type", event.type());
                send(bytes(line));
            }
        }

        void send(byte[] line) {
            deliver(() -> lines.onLine(line, UnaryOperator.identity()));
        }

        void bookmarkLater() {
            time.schedule(BOOKMARKS, () -> {
                if (streams.contains(this)) {
                    send(("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"X\",\"metadata\":{\"resourceVersion\":\""
                                    + version + "\"}}}")
                            .getBytes(UTF_8));
                    bookmarkLater();
                }
            });
        }
    }

    // JSON

    public static ApiFailure status(int code, String reason, String message) {
        return new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, code, reason, message, null);
    }

    private static String body(ApiRequest request) {
        String body = request.body();
        if (body == null) {
            throw new IllegalArgumentException("a write without a body");
        }
        return body;
    }

    private static ObjectNode metadata(ObjectNode object) {
        return object.withObjectProperty("metadata");
    }

    public static ObjectNode parse(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON", e);
        }
    }

    private static byte[] bytes(JsonNode node) {
        return node.toString().getBytes(UTF_8);
    }
}

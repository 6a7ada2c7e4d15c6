package io.osmhub.api.journal;

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
import io.osmhub.workersync.fake.ServerHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Objects with a history, as an API server on etcd has them: lists of now and of the past, watches from any version that is kept. */
public final class MemoryServer implements ServerHandler, AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Key(Resource resource, String namespace, String name) {}

    private record Event(long version, Key key, String type, ObjectNode object) {}

    private final Map<Key, ObjectNode> objects = new HashMap<>();
    private final List<Event> history = new ArrayList<>();
    private final List<Stream> streams = new CopyOnWriteArrayList<>();
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private long version = 1000;
    private long compacted;

    /** Creates or changes an object; its metadata is made here. */
    public synchronized long put(Resource resource, String namespace, String name, ObjectNode rest) {
        Key key = new Key(resource, namespace, name);
        ObjectNode known = objects.get(key);
        version++;
        ObjectNode object = rest.deepCopy();
        ObjectNode metadata = object.withObjectProperty("metadata");
        metadata.put("namespace", namespace)
                .put("name", name)
                .put(
                        "uid",
                        known == null
                                ? "uid-" + version
                                : known.path("metadata").path("uid").asText())
                .put("resourceVersion", Long.toString(version))
                .put("creationTimestamp", "2026-03-01T10:00:00Z");
        objects.put(key, object);
        tell(new Event(version, key, known == null ? "ADDED" : "MODIFIED", object));
        return version;
    }

    public synchronized boolean remove(Resource resource, String namespace, String name) {
        Key key = new Key(resource, namespace, name);
        ObjectNode known = objects.remove(key);
        if (known != null) {
            version++;
            ObjectNode last = known.deepCopy();
            last.withObjectProperty("metadata").put("resourceVersion", Long.toString(version));
            tell(new Event(version, key, "DELETED", last));
        }
        return known != null;
    }

    /** Forgets everything that is past. */
    public synchronized void compact() {
        compacted = version;
    }

    /** Ends all watches, as when the server forgets faster than a watch reads. */
    public void expireWatches() {
        for (Stream stream : streams) {
            stream.end(() -> stream.lines.onFailed(gone()));
        }
    }

    private void tell(Event event) {
        history.add(event);
        streams.forEach(stream -> stream.offer(event));
    }

    @Override
    public synchronized byte[] send(ApiRequest request) throws ApiFailure {
        String wanted = request.query().getOrDefault("fieldSelector", "").replace("metadata.name=", "");
        boolean exact = "Exact".equals(request.query().get("resourceVersionMatch"));
        long at = exact ? Long.parseLong(request.query().get("resourceVersion")) : version;
        if (at < compacted) {
            throw gone();
        }
        Map<Key, ObjectNode> then = exact ? past(at) : objects;
        ObjectNode list = JSON.createObjectNode();
        list.putObject("metadata").put("resourceVersion", Long.toString(at));
        ArrayNode items = list.putArray("items");
        TreeMap<String, ObjectNode> sorted = new TreeMap<>();
        then.forEach((key, object) -> {
            if (key.resource() == request.resource()
                    && (request.namespace().isEmpty() || request.namespace().equals(key.namespace()))
                    && (wanted.isEmpty() || wanted.equals(key.name()))) {
                sorted.put(key.namespace() + "/" + key.name(), object);
            }
        });
        sorted.values().forEach(items::add);
        return bytes(list);
    }

    private Map<Key, ObjectNode> past(long at) {
        Map<Key, ObjectNode> then = new HashMap<>();
        for (Event event : history) {
            if (event.version() <= at) {
                if (event.type().equals("DELETED")) {
                    then.remove(event.key());
                } else {
                    then.put(event.key(), event.object());
                }
            }
        }
        return then;
    }

    @Override
    public synchronized Watch watch(ApiRequest request, WatchLineHandler lines) {
        Stream stream = new Stream(request, lines);
        long from = Long.parseLong(request.query().getOrDefault("resourceVersion", "0"));
        if (from < compacted) {
            stream.end(() -> lines.onFailed(gone()));
            return stream;
        }
        streams.add(stream);
        stream.deliver(lines::onOpened);
        history.stream().filter(event -> event.version() > from).forEach(stream::offer);
        long seconds = Long.parseLong(request.query().getOrDefault("timeoutSeconds", "1800"));
        if (seconds < 10) {
            stream.end(lines::onEnded);
        }
        return stream;
    }

    private final class Stream implements Watch {
        private final ApiRequest request;
        private final WatchLineHandler lines;
        private volatile boolean over;

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
            loop.execute(() -> {
                if (!over) {
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
            if (event.key().resource() == request.resource()) {
                ObjectNode line = JSON.createObjectNode();
                line.put("type", event.type());
                line.set("object", event.object());
                byte[] bytes = bytes(line);
                deliver(() -> lines.onLine(bytes, UnaryOperator.identity()));
            }
        }
    }

    private static ApiFailure gone() {
        return new ApiFailure(ApiFailure.ApiFailureKind.ANSWERED, 410, "Expired", "too old resource version", null);
    }

    private static byte[] bytes(JsonNode json) {
        try {
            return JSON.writeValueAsString(json).getBytes(UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until everything that was put is delivered. */
    public void settle() throws Exception {
        for (int i = 0; i < 3; i++) {
            loop.submit(() -> {}).get(30, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        loop.shutdownNow();
    }

    static @Nullable ObjectNode parse(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}

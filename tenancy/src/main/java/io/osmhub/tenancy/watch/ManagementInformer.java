package io.osmhub.tenancy.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.ListWatch;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.ObjectCache;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.ObservedObject;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Mirrors one selection of the management cluster's objects, reduced to what is needed. Thread-safe. */
public final class ManagementInformer<T> {
    /** Must not block. */
    @FunctionalInterface
    public interface InformerListener<T> {
        /**
         * An object changed.
         *
         * @param before null if it did not exist
         * @param after null if it was deleted
         * @param origin whether the hub made the change
         */
        void onChanged(ObjectKey key, @Nullable T before, @Nullable T after, ObjectCache.Origin origin);
    }

    private final Function<JsonNode, @Nullable T> reduce;
    private final ObjectCache<T> cache;
    private final ListWatch<T> watch;
    /** The cache's content by namespace: written under the cache's lock, read without it. */
    private final Map<String, Map<String, T>> byNamespace = new ConcurrentHashMap<>();

    /** @param reduce from a whole object to the cached form; null to ignore it */
    public ManagementInformer(
            Selection selection,
            Function<JsonNode, @Nullable T> reduce,
            InformerListener<T> changes,
            ListWatchListener listener,
            RuntimeContext around) {
        this(selection, reduce, changes, StoredObjectListener.noop(), listener, around, false);
    }

    /** For a kind that the API server may not serve: retries less often while it does not. */
    public static <T> ManagementInformer<T> optional(
            Selection selection,
            Function<JsonNode, @Nullable T> reduce,
            InformerListener<T> changes,
            ListWatchListener listener,
            RuntimeContext around) {
        return new ManagementInformer<>(
                selection, reduce, changes, StoredObjectListener.noop(), listener, around, true);
    }

    /** @param stored also notified of everything, after the listener */
    public ManagementInformer(
            Selection selection,
            Function<JsonNode, @Nullable T> reduce,
            InformerListener<T> changes,
            StoredObjectListener<T> stored,
            ListWatchListener listener,
            RuntimeContext around) {
        this(selection, reduce, changes, stored, listener, around, false);
    }

    private ManagementInformer(
            Selection selection,
            Function<JsonNode, @Nullable T> reduce,
            InformerListener<T> changes,
            StoredObjectListener<T> stored,
            ListWatchListener listener,
            RuntimeContext around,
            boolean optional) {
        this.reduce = reduce;
        this.cache = new ObjectCache<>((key, before, after, origin) -> {
            index(key, after);
            if (before != after) {
                stored.onChanged(key, after);
            }
            changes.onChanged(key, before, after, origin);
        });
        this.watch = new ListWatch<>(selection, this::decode, cache, stored, listener, around, optional);
    }

    /** Starts, or continues with another connection. */
    public void start(KubeApi management) {
        watch.resume(management);
    }

    /** Delivers nothing afterwards; keeps the cache. */
    public void stop() {
        watch.suspend();
    }

    /** Lists again and watches from there; see {@link ListWatch#relist}. */
    public void relist(Runnable onListed) {
        watch.relist(onListed);
    }

    /** Whether the first list is complete. */
    public boolean isSynced() {
        return watch.isSynced();
    }

    public @Nullable T find(String namespace, String name) {
        return in(namespace).get(name);
    }

    /** Objects of one namespace by name; a live view. */
    public Map<String, T> in(String namespace) {
        return byNamespace.getOrDefault(namespace, Map.of());
    }

    public Collection<T> all() {
        return cache.all();
    }

    public List<ObjectKey> keys() {
        return cache.keys();
    }

    /** Caches the response to the hub's own write and returns its cached form. */
    public @Nullable T putWritten(byte[] answer) throws IOException {
        ObservedObject<T> seen = seen(WireJson.read(answer));
        cache.putWritten(seen);
        return seen.object();
    }

    /** The hub deleted exactly this object. */
    public void removeDeleted(String namespace, String name, String uid) {
        cache.deleted(new ObjectKey(namespace, name), uid);
    }

    private void index(ObjectKey key, @Nullable T after) {
        byNamespace.compute(key.namespace(), (namespace, objects) -> {
            Map<String, T> some = objects == null ? new ConcurrentHashMap<>() : objects;
            if (after == null) {
                some.remove(key.name());
            } else {
                some.put(key.name(), after);
            }
            return some.isEmpty() ? null : some;
        });
    }

    private ObservedObject<T> decode(JsonParser parser) throws IOException {
        return seen(WireJson.read(parser));
    }

    private ObservedObject<T> seen(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        ObjectKey key = new ObjectKey(
                metadata.path("namespace").asText(), metadata.path("name").asText());
        return new ObservedObject<>(
                key,
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(),
                reduce.apply(object));
    }
}

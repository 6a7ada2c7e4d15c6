package io.osmhub.tenancy.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.ListWatch;
import io.osmhub.workersync.watch.ObjectCache;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Past;
import io.osmhub.workersync.watch.Seen;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchListener;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One selection of objects of the management cluster, always as they are there, each reduced to what is remembered of it. Safe
 * for use by many threads.
 */
public final class ManagementWatch<T> {
    /** Hears of each change; hands over and returns. */
    @FunctionalInterface
    public interface Changes<T> {
        /**
         * One object is another now.
         *
         * @param before null when there was none
         * @param after null when there is none any more
         * @param origin whether the hub did it itself
         */
        void changed(ObjectKey key, @Nullable T before, @Nullable T after, ObjectCache.Origin origin);
    }

    private final Selection selection;
    private final Function<JsonNode, @Nullable T> reduce;
    private final ObjectCache<T> cache;
    private final ListWatch<T> watch;
    /** The cache's content by namespace: written under the cache's lock, read without. */
    private final Map<String, Map<String, T>> byNamespace = new ConcurrentHashMap<>();

    /** @param reduce from a whole object to what is remembered of it; null when it does not matter */
    public ManagementWatch(
            Selection selection,
            Function<JsonNode, @Nullable T> reduce,
            Changes<T> changes,
            WatchListener listener,
            Surroundings around) {
        this(selection, reduce, changes, StoredListener.nobody(), listener, around);
    }

    /** @param stored hears of everything, after this watch itself */
    public ManagementWatch(
            Selection selection,
            Function<JsonNode, @Nullable T> reduce,
            Changes<T> changes,
            StoredListener<T> stored,
            WatchListener listener,
            Surroundings around) {
        this.selection = selection;
        this.reduce = reduce;
        this.cache = new ObjectCache<>((key, before, after, origin) -> {
            index(key, after);
            if (before != after) {
                stored.changed(key, after);
            }
            changes.changed(key, before, after, origin);
        });
        this.watch = new ListWatch<>(selection, this::decode, cache, stored, listener, around);
    }

    /** What the API server still knows of this selection's past. */
    public Past<T> past(KubeApi management) {
        return new Past<>(management, selection, this::decode);
    }

    /** Begins, or goes on with another connection. */
    public void start(KubeApi management) {
        watch.resume(management);
    }

    /** Nothing is delivered afterwards; what is known stays. */
    public void stop() {
        watch.suspend();
    }

    /** The first list is complete. */
    public boolean isSynced() {
        return watch.isSynced();
    }

    public @Nullable T find(String namespace, String name) {
        return in(namespace).get(name);
    }

    /** All of one namespace by name; a view that goes on changing. */
    public Map<String, T> in(String namespace) {
        return byNamespace.getOrDefault(namespace, Map.of());
    }

    public Collection<T> all() {
        return cache.all();
    }

    public List<ObjectKey> keys() {
        return cache.keys();
    }

    /** Takes in the answer to a write of the hub's own, so that the next look sees it; what is remembered of it now. */
    public @Nullable T written(byte[] answer) throws IOException {
        Seen<T> seen = seen(WireJson.read(answer));
        cache.written(seen);
        return seen.object();
    }

    /** The hub has deleted that very object. */
    public void deleted(String namespace, String name, String uid) {
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

    private Seen<T> decode(JsonParser parser) throws IOException {
        return seen(WireJson.read(parser));
    }

    private Seen<T> seen(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        ObjectKey key = new ObjectKey(
                metadata.path("namespace").asText(), metadata.path("name").asText());
        return new Seen<>(
                key,
                metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(),
                reduce.apply(object));
    }
}

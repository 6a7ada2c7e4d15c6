package io.osmhub.tenancy.management;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Problem;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.CachedSelection;
import io.osmhub.workersync.watch.ListWatch;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.ObjectCache;
import io.osmhub.workersync.watch.ObjectDecoder;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.ObservedObject;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One selection of the management cluster's objects, reduced to what is needed and indexed by namespace. Thread-safe. */
public class ManagementStore<T> {
    /** Must not block. */
    @FunctionalInterface
    public interface StoreListener<T> {
        /**
         * An object changed.
         *
         * @param before null if it did not exist
         * @param after null if it was deleted
         * @param origin whether the hub made the change
         */
        void onChanged(ObjectKey key, @Nullable T before, @Nullable T after, ObjectCache.Origin origin);
    }

    private final ObjectDecoder<T> decoder;
    private final ObjectCache<T> cache;
    private final ListWatch<T> watch;
    /** Null for a kind that every API server serves. */
    private final @Nullable AbsenceListener absence;

    /** The cache's content by namespace: written under the cache's lock, read without it. */
    private final Map<String, Map<String, T>> byNamespace = new ConcurrentHashMap<>();

    /**
     * Listeners of one kind of object.
     *
     * @param changes receives each change
     * @param stored receives everything before that
     * @param watch receives the state of the watch
     */
    public record StoreListeners<T>(StoreListener<T> changes, StoredObjectListener<T> stored, ListWatchListener watch) {
        public static <T> StoreListeners<T> of(StoreListener<T> changes, ListWatchListener watch) {
            return new StoreListeners<>(changes, StoredObjectListener.noop(), watch);
        }
    }

    /** @param reduce from a whole object to the cached form; null to ignore it */
    public ManagementStore(
            Selection selection,
            Function<JsonNode, @Nullable T> reduce,
            StoreListener<T> changes,
            ListWatchListener listener,
            RuntimeContext runtimeContext) {
        this(selection, reducing(reduce), StoreListeners.of(changes, listener), runtimeContext);
    }

    /** @param listeners for a kind that the API server may not serve, their watch is an {@link AbsenceListener} */
    @SuppressWarnings("this-escape") // events come only after start
    public ManagementStore(
            Selection selection, ObjectDecoder<T> decoder, StoreListeners<T> listeners, RuntimeContext runtimeContext) {
        this.decoder = decoder;
        this.absence = listeners.watch() instanceof AbsenceListener listener ? listener : null;
        this.cache = new ObjectCache<>((key, before, after, origin) -> {
            boolean withheld = before != null && after == null && withholdsDeletion(key, before, origin);
            index(key, after);
            if (before != after) {
                listeners.stored().onChanged(key, after);
            }
            if (!withheld) {
                listeners.changes().onChanged(key, before, after, origin);
            }
        });
        this.watch = new ListWatch<>(
                CachedSelection.unlimited(selection, decoder, cache, absence != null),
                listeners.watch(),
                runtimeContext);
    }

    /** Starts, or continues with another connection. */
    public void start(KubeApi management) {
        watch.resume(management);
    }

    /** Delivers nothing afterwards; keeps the cache. */
    public void stop() {
        watch.suspend();
    }

    /** Stops permanently: what cannot be read is no longer reported. */
    public void close() {
        watch.end();
    }

    /** Why an existing object cannot be read, which may be cached in an earlier version; null if it can, or does not exist. */
    public @Nullable Problem unreadable(String namespace, String name) {
        return cache.unreadable(new ObjectKey(namespace, name));
    }

    /** Whether the first list is complete. */
    public boolean isSynced() {
        return watch.isSynced();
    }

    /** Whether the API server does not serve the kind. */
    public boolean isAbsent() {
        return absence().isPresent();
    }

    /** The answer by which the kind counts as not served; empty if it is. */
    protected final Optional<ApiFailure> absence() {
        return absence == null ? Optional.empty() : Optional.ofNullable(absence.absenceFailure);
    }

    /** Whether the first list is complete, or the kind is not served. */
    public boolean isKnown() {
        return isAbsent() || isSynced();
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
        ObservedObject<T> seen;
        try (JsonParser parser = WireJson.parse(answer)) {
            seen = decoder.decode(parser);
        } catch (JsonProcessingException e) {
            e.clearLocation(); // it quotes the text
            throw new IOException("not JSON", e);
        } catch (RuntimeException e) {
            throw new IOException("a value has the wrong type", e);
        }
        cache.putWritten(seen);
        return seen.object();
    }

    /** Caches the response to the hub's own write of a status. */
    protected final void putWrittenStatus(byte[] answer) throws IOException {
        cache.putWrittenStatus(answer, decoder);
    }

    /** The hub deleted exactly this object. */
    public void removeDeleted(String namespace, String name, String uid) {
        cache.deleted(new ObjectKey(namespace, name), uid);
    }

    /** Whether listeners do not receive a deletion now; called while the object can still be found. */
    protected boolean withholdsDeletion(ObjectKey key, T deleted, ObjectCache.Origin origin) {
        return false;
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

    /** For a kind that the API server may not serve: that is a state, not a failure, and retried less often. */
    public static final class AbsenceListener implements ListWatchListener {
        private final ListWatchListener listener;
        private final Runnable known;
        private final boolean withoutPermission;
        private volatile @Nullable ApiFailure absenceFailure;

        /**
         * @param known called when it becomes known which objects there are, or that the kind is not served; must not block
         * @param withoutPermission whether a missing permission counts as not served
         */
        public AbsenceListener(ListWatchListener listener, Runnable known, boolean withoutPermission) {
            this.listener = listener;
            this.known = known;
            this.withoutPermission = withoutPermission;
        }

        @Override
        public void onSynced() {
            absenceFailure = null;
            known.run();
            listener.onSynced();
        }

        @Override
        public void onFailed(ApiFailure failure, int inARow) {
            if (!failure.isNotFound()) {
                listener.onFailed(failure, inARow);
            } else {
                onAbsent(failure);
            }
        }

        private void onAbsent(ApiFailure failure) {
            if (absenceFailure == null) {
                absenceFailure = failure;
                known.run();
                listener.onRecovered();
                listener.onSynced();
            }
        }

        @Override
        public void onAccessDenied(ApiFailure failure) {
            if (withoutPermission && failure.isForbidden()) {
                onAbsent(failure);
            } else {
                listener.onAccessDenied(failure);
            }
        }

        @Override
        public void onShortWatches(int inARow) {
            listener.onShortWatches(inARow);
        }

        @Override
        public void onRecovered() {
            if (absenceFailure != null) {
                absenceFailure = null;
                known.run();
            }
            listener.onRecovered();
        }

        @Override
        public void onRestarted(RestartReason why) {
            listener.onRestarted(why);
        }
    }

    /** What is kept of an object that cannot be read; see {@link ObjectDecoder#unreadable}. */
    @FunctionalInterface
    public interface UnreadableReducer<T> {
        @Nullable T reduce(JsonNode metadata, Problem why, @Nullable T earlier);
    }

    /** A decoder that reads the whole object into a tree first, and keeps the earlier version of one that cannot be read. */
    public static <T> ObjectDecoder<T> reducing(Function<JsonNode, @Nullable T> reduce) {
        return reducing(reduce, (metadata, why, earlier) -> earlier);
    }

    /** As {@link #reducing(Function)}, for a kind of which the metadata suffices. */
    public static <T> ObjectDecoder<T> reducingMetadata(Function<JsonNode, T> reduce) {
        return reducing(reduce, (metadata, why, earlier) -> reduce.apply(metadata));
    }

    public static <T> ObjectDecoder<T> reducing(
            Function<JsonNode, @Nullable T> reduce, UnreadableReducer<T> unreadable) {
        return new ObjectDecoder<>() {
            @Override
            public ObservedObject<T> decode(JsonParser parser) throws IOException {
                JsonNode object = WireJson.read(parser);
                return ObservedObject.of(object, reduce.apply(object));
            }

            @Override
            public @Nullable T unreadable(JsonNode metadata, Problem why, @Nullable T earlier) {
                return unreadable.reduce(metadata, why, earlier);
            }
        };
    }
}

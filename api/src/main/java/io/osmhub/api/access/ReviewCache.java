package io.osmhub.api.access;

import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;

/**
 * Short-lived review results. Concurrent requests for a key share one load; failures are not cached. Bounded, evicting the least
 * recently used. Thread-safe.
 */
final class ReviewCache<K, V> {
    private final long lifeNanos;
    private final LongSupplier nanoTime;
    private final Map<K, CacheEntry<V>> entries;

    private static final class CacheEntry<V> {
        private final CompletableFuture<V> answer = new CompletableFuture<>();
        /** Time of the request, so that no result outlives its maximum age. */
        private final long askedAt;

        CacheEntry(long askedAt) {
            this.askedAt = askedAt;
        }
    }

    /** Asks the management cluster. */
    interface ReviewLoader<V> {
        V load() throws ApiFailure;
    }

    /** A result, and whether it was cached. */
    record CacheLookup<V>(V value, boolean fromCache) {}

    /** A result and its age. */
    record AgedValue<V>(V value, Duration age) {}

    ReviewCache(int most, Duration life, LongSupplier nanoTime) {
        this.lifeNanos = life.toNanos();
        this.nanoTime = nanoTime;
        this.entries = new LeastRecentlyUsedMap<>(most);
    }

    CacheLookup<V> get(K key, ReviewLoader<V> question) throws ApiFailure, InterruptedException {
        CacheEntry<V> mine = null;
        CacheEntry<V> entry;
        synchronized (entries) {
            entry = entries.get(key);
            if (entry == null || !isFresh(entry)) {
                mine = new CacheEntry<>(nanoTime.getAsLong());
                entry = mine;
                entries.put(key, mine);
            }
        }
        if (mine == null) {
            return new CacheLookup<>(await(entry), true);
        }
        try {
            mine.answer.complete(question.load());
        } catch (ApiFailure | RuntimeException | Error failure) {
            invalidate(key, mine);
            mine.answer.completeExceptionally(failure);
            throw failure;
        }
        return new CacheLookup<>(await(mine), false);
    }

    /** The last result with its age, even if expired; empty if there is none or it is loading. Must not block. */
    Optional<AgedValue<V>> getWithAge(K key) {
        synchronized (entries) {
            CacheEntry<V> kept = entries.get(key);
            return kept == null || !kept.answer.isDone() || kept.answer.isCompletedExceptionally()
                    ? Optional.empty()
                    : Optional.of(
                            new AgedValue<>(kept.answer.join(), Duration.ofNanos(nanoTime.getAsLong() - kept.askedAt)));
        }
    }

    /** Always loads. The last result is served until the new one arrives. */
    V refresh(K key, ReviewLoader<V> question) throws ApiFailure {
        CacheEntry<V> renewed = new CacheEntry<>(nanoTime.getAsLong());
        V value = question.load();
        renewed.answer.complete(value);
        synchronized (entries) {
            entries.put(key, renewed);
        }
        return value;
    }

    /** Caches a result that was obtained without a review. */
    void put(K key, V value) {
        CacheEntry<V> kept = new CacheEntry<>(nanoTime.getAsLong());
        kept.answer.complete(value);
        synchronized (entries) {
            entries.put(key, kept);
        }
    }

    /** The next request loads a new result. */
    void invalidate(K key) {
        synchronized (entries) {
            entries.remove(key);
        }
    }

    private boolean isFresh(CacheEntry<V> entry) {
        return !entry.answer.isDone() || nanoTime.getAsLong() - entry.askedAt < lifeNanos;
    }

    private void invalidate(K key, CacheEntry<V> entry) {
        synchronized (entries) {
            entries.remove(key, entry);
        }
    }

    private static <V> V await(CacheEntry<V> entry) throws ApiFailure, InterruptedException {
        try {
            return entry.answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiFailure failure) {
                throw failure;
            }
            throw new IllegalStateException("review failed unexpectedly", e.getCause());
        }
    }
}

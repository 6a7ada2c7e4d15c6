package io.osmhub.api.access;

import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;

/**
 * Answers that hold for a moment. Who asks while the same question is under way waits for that answer; a failure is remembered for
 * nobody but those who wait. Bounded: the question asked least lately is forgotten first. Safe for use by many threads.
 */
final class ReviewCache<K, V> {
    private final long lifeNanos;
    private final LongSupplier nanoTime;
    private final Map<K, Kept<V>> entries;

    private static final class Kept<V> {
        private final CompletableFuture<V> answer = new CompletableFuture<>();
        /** Counts from the question, so that no answer is older than its life. */
        private final long askedAt;

        Kept(long askedAt) {
            this.askedAt = askedAt;
        }
    }

    /** Asks the management cluster. */
    interface Question<V> {
        V ask() throws ApiFailure;
    }

    /** An answer, and whether it was remembered. */
    record Answer<V>(V value, boolean fromCache) {}

    /** An answer, and how long ago it was asked for. */
    record Aged<V>(V value, Duration age) {}

    ReviewCache(int most, Duration life, LongSupplier nanoTime) {
        this.lifeNanos = life.toNanos();
        this.nanoTime = nanoTime;
        this.entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, Kept<V>> eldest) {
                return size() > most;
            }
        };
    }

    Answer<V> get(K key, Question<V> question) throws ApiFailure, InterruptedException {
        Kept<V> mine = null;
        Kept<V> entry;
        synchronized (entries) {
            entry = entries.get(key);
            if (entry == null || !fresh(entry)) {
                mine = new Kept<>(nanoTime.getAsLong());
                entry = mine;
                entries.put(key, mine);
            }
        }
        if (mine == null) {
            return new Answer<>(await(entry), true);
        }
        try {
            mine.answer.complete(question.ask());
        } catch (ApiFailure | RuntimeException | Error failure) {
            forget(key, mine);
            mine.answer.completeExceptionally(failure);
            throw failure;
        }
        return new Answer<>(await(mine), false);
    }

    /** The last answer with its age, whether it still holds or not; empty when there is none or it is under way. Never waits. */
    Optional<Aged<V>> aged(K key) {
        synchronized (entries) {
            Kept<V> kept = entries.get(key);
            return kept == null || !kept.answer.isDone() || kept.answer.isCompletedExceptionally()
                    ? Optional.empty()
                    : Optional.of(
                            new Aged<>(kept.answer.join(), Duration.ofNanos(nanoTime.getAsLong() - kept.askedAt)));
        }
    }

    /** Asks in any case. The last answer stands until there is another. */
    V renew(K key, Question<V> question) throws ApiFailure {
        Kept<V> renewed = new Kept<>(nanoTime.getAsLong());
        V value = question.ask();
        renewed.answer.complete(value);
        synchronized (entries) {
            entries.put(key, renewed);
        }
        return value;
    }

    /** Remembers an answer that was found without a question. */
    void keep(K key, V value) {
        Kept<V> kept = new Kept<>(nanoTime.getAsLong());
        kept.answer.complete(value);
        synchronized (entries) {
            entries.put(key, kept);
        }
    }

    /** The next who asks gets a new answer. */
    void forget(K key) {
        synchronized (entries) {
            entries.remove(key);
        }
    }

    /** The last answer, however old; empty when there is none or it is under way. */
    Optional<V> last(K key) {
        synchronized (entries) {
            Kept<V> kept = entries.get(key);
            return kept == null || !kept.answer.isDone() || kept.answer.isCompletedExceptionally()
                    ? Optional.empty()
                    : Optional.of(kept.answer.join());
        }
    }

    private boolean fresh(Kept<V> entry) {
        return !entry.answer.isDone() || nanoTime.getAsLong() - entry.askedAt < lifeNanos;
    }

    private void forget(K key, Kept<V> entry) {
        synchronized (entries) {
            entries.remove(key, entry);
        }
    }

    private static <V> V await(Kept<V> entry) throws ApiFailure, InterruptedException {
        try {
            return entry.answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiFailure failure) {
                throw failure;
            }
            throw new IllegalStateException("a review ended in a fault", e.getCause());
        }
    }

    int size() {
        synchronized (entries) {
            return entries.size();
        }
    }
}

package io.osmhub.tenancy.watch;

import io.osmhub.workersync.watch.Feed;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Seen;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears of the stored objects of one kind: what is remembered of each as soon as it is known, also from the answer to a write of
 * the hub's own, and what the API server says in its order. Called under a lock: hands over and returns.
 */
public interface StoredListener<T> extends Feed<T> {
    /** One object is another now; {@code after} is null when it is gone. */
    void changed(ObjectKey key, @Nullable T after);

    /** Hands what is remembered to the one, and then what the API server says to the other: who is told of a change finds it. */
    static <T> StoredListener<T> of(BiConsumer<ObjectKey, @Nullable T> remembered, Feed<T> told) {
        return new StoredListener<>() {
            @Override
            public void changed(ObjectKey key, @Nullable T after) {
                remembered.accept(key, after);
            }

            @Override
            public void listed(Collection<Seen<T>> objects, String resourceVersion) {
                told.listed(objects, resourceVersion);
            }

            @Override
            public void put(Seen<T> seen, boolean added) {
                told.put(seen, added);
            }

            @Override
            public void gone(Seen<T> last) {
                told.gone(last);
            }

            @Override
            public void reached(String resourceVersion) {
                told.reached(resourceVersion);
            }
        };
    }

    /** Of no interest to anybody. */
    static <T> StoredListener<T> nobody() {
        return of((key, after) -> {}, Feed.toNobody());
    }
}

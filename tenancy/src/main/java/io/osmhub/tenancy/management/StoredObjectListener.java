package io.osmhub.tenancy.management;

import io.osmhub.workersync.watch.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Receives the stored objects of one kind: each cached form as soon as it is known, including responses to the hub's own writes.
 * Called under a lock; must not block.
 */
@FunctionalInterface
public interface StoredObjectListener<T> {
    /** An object changed; {@code after} is null if it was deleted. */
    void onChanged(ObjectKey key, @Nullable T after);

    static <T> StoredObjectListener<T> noop() {
        return (key, after) -> {};
    }
}

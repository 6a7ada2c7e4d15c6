package io.osmhub.sim.store;

import io.osmhub.sim.resource.ResourceKey;
import org.jspecify.annotations.Nullable;

/** One change. {@code previous} is what the object was before; null for a new one. A deletion carries the last state at the revision of the deletion. */
public record StoreEvent(
        ResourceKey resource,
        Type type,
        StoredObject object,
        @Nullable StoredObject previous) {
    /** What happened. */
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    /** The revision at which it happened. */
    public long revision() {
        return object.revision();
    }
}

package io.osmhub.api.schema;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A stored object, by name. A profile without a namespace is resolved as for the tenant. */
public record ObjectByName(@Nullable String namespace, String name) implements ObjectSource {
    public ObjectByName {
        Objects.requireNonNull(name, "name");
    }
}

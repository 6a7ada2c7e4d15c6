package io.osmhub.api.schema;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An object that is stored, by its name. Without a namespace a profile is looked for as the tenant would. */
public record ObjectByName(@Nullable String namespace, String name) implements ObjectSource {
    public ObjectByName {
        Objects.requireNonNull(name, "name");
    }
}

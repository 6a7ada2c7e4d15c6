package io.osmhub.api.schema;

import org.jspecify.annotations.Nullable;

/** A stored object, by name. A profile without a namespace is resolved as for the tenant. */
public record ObjectByName(@Nullable String namespace, String name) implements ObjectSource {}

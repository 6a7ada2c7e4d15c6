package io.osmhub.core.workercluster;

import io.osmhub.core.resource.ObjectNameOrEmpty;
import io.osmhub.core.resource.Wire;
import io.osmhub.core.schema.Atomic;
import io.osmhub.core.schema.Described;

/** A Secret of the tenant's own namespace. An empty name switches an inherited reference off. */
@Wire
@Atomic
public record SecretRef(
        @Described("Name of the Secret.") @ObjectNameOrEmpty String name) {}

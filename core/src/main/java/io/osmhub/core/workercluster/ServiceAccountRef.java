package io.osmhub.core.workercluster;

import io.osmhub.core.resource.NamespaceName;
import io.osmhub.core.resource.ObjectName;
import io.osmhub.core.resource.Wire;
import io.osmhub.core.schema.Atomic;
import io.osmhub.core.schema.Described;

/** A ServiceAccount of the worker cluster. */
@Wire
@Atomic
public record ServiceAccountRef(
        @Described("Namespace.") @NamespaceName String namespace,
        @Described("Name.") @ObjectName String name) {}

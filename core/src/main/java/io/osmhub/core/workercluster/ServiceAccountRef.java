package io.osmhub.core.workercluster;

import io.osmhub.core.resource.NamespaceName;
import io.osmhub.core.resource.ObjectName;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.Atomic;
import io.osmhub.core.schema.FieldDescription;

/** A ServiceAccount of the worker cluster. */
@WireRecord
@Atomic
public record ServiceAccountRef(
        @FieldDescription("Namespace.") @NamespaceName String namespace,
        @FieldDescription("Name.") @ObjectName String name) {}

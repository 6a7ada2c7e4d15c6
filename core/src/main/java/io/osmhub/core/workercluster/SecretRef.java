package io.osmhub.core.workercluster;

import io.osmhub.core.resource.ObjectNameOrEmpty;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.Atomic;
import io.osmhub.core.schema.FieldDescription;

/** A Secret of the tenant's own namespace. An empty name switches an inherited reference off. */
@WireRecord
@Atomic
public record SecretRef(
        @FieldDescription("Name of the Secret.") @ObjectNameOrEmpty
        String name) {}

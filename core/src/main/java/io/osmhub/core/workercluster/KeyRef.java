package io.osmhub.core.workercluster;

import io.osmhub.core.resource.DataKey;
import io.osmhub.core.resource.ObjectName;
import io.osmhub.core.resource.Wire;
import io.osmhub.core.schema.Atomic;
import io.osmhub.core.schema.Described;

/** A key of a Secret or ConfigMap of the tenant's own namespace: no other namespace can be named. */
@Wire
@Atomic
public record KeyRef(
        @Described("Name.") @ObjectName String name,
        @Described("Key in its data.") @DataKey String key) {}

package io.osmhub.core.workercluster;

import io.osmhub.core.resource.DataKey;
import io.osmhub.core.resource.ObjectName;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.Atomic;
import io.osmhub.core.schema.FieldDescription;

/** A key of a Secret or ConfigMap in the tenant's namespace; other namespaces cannot be named. */
@WireRecord
@Atomic
public record LocalKeyRef(
        @FieldDescription("Name.") @ObjectName String name,
        @FieldDescription("Key in its data.") @DataKey String key) {}

package io.osmhub.core.workercluster;

import static io.osmhub.core.workercluster.WorkerClusterCelRule.KNOWN_OPERATING_SYSTEMS;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.NamespaceName;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ObjectName;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldDescription;
import io.osmhub.core.schema.SizeLimits;
import io.osmhub.core.schema.UniqueItems;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a tenant's profiles come from. */
@WireRecord
public record ProfileSettings(
        @FieldDescription(
                "Namespaces, in addition to the tenant's own and the shared one, that a MachineDeployment may name with the annotation "
                        + "k8c.io/operating-system-profile-namespace. Each must also be offered by the label osmhub.io/share-profiles=true.")
        @SizeLimits(max = 16)
        @UniqueItems
        @Nullable List<@NamespaceName String> namespaces,

        @FieldDescription(
                "Where the default profiles are installed for this tenant. Shared = once, in the shared namespace; PerNamespace = in the "
                        + "tenant's too; None = the tenant sees none.")
        @Nullable InstallDefaults installDefaults,

        @FieldDescription(
                "Profile that admission sets on a MachineDeployment without one, by operating system. Default osp-<os>.")
        @SizeLimits(max = 16)
        @CelRules(KNOWN_OPERATING_SYSTEMS)
        @Nullable Map<String, @ObjectName String> byOperatingSystem) {

    public ProfileSettings {
        namespaces = NullableCollections.copyOf(namespaces);
        byOperatingSystem = NullableCollections.copyOf(byOperatingSystem);
    }

    /** Where the default profiles are installed for a tenant. */
    @WireEnum
    public enum InstallDefaults {
        @JsonProperty("Shared")
        SHARED,
        @JsonProperty("PerNamespace")
        PER_NAMESPACE,
        @JsonProperty("None")
        NONE
    }
}

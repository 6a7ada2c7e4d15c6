package io.osmhub.core.workercluster;

import static io.osmhub.core.workercluster.WorkerClusterCelRule.MIRROR_URL;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.MIRROR_WITHOUT_PARAMETER;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.MIRROR_WITHOUT_USER;

import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.Atomic;
import io.osmhub.core.schema.FieldDescription;
import io.osmhub.core.schema.ListMapKeys;
import io.osmhub.core.schema.SizeLimits;
import io.osmhub.core.schema.TextLimits;
import io.osmhub.core.schema.UniqueItems;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Image registries of the nodes. */
@WireRecord
public record RegistrySettings(
        @FieldDescription(
                "Registries whose certificate is not verified, as host or host:port. An empty list switches inherited ones off.")
        @SizeLimits(max = 64)
        @UniqueItems
        @Nullable List<@RegistryName String> insecure,

        @FieldDescription("Mirrors by registry. The endpoints are tried in the order given.")
        @SizeLimits(max = 64)
        @ListMapKeys("registry")
        @Nullable List<Mirror> mirrors,

        @FieldDescription(
                "Secret of the same namespace with registry credentials: type kubernetes.io/dockerconfigjson, or one key for each registry. "
                        + "An empty name switches an inherited one off.")
        @Nullable SecretRef credentialsSecretRef) {

    public RegistrySettings {
        insecure = NullableCollections.copyOf(insecure);
        mirrors = NullableCollections.copyOf(mirrors);
    }

    /** Where to pull the images of one registry from. */
    @WireRecord
    public record Mirror(
            @FieldDescription("Registry that is mirrored, for example docker.io; \"*\" or \"_default\" for all others.")
            @RegistryName
            String registry,

            @FieldDescription("Where to pull from instead.") @SizeLimits(min = 1, max = 8) @Atomic
            List<Endpoint> endpoints) {
        public Mirror {
            endpoints = List.copyOf(endpoints);
        }
    }

    /** One place to pull from. */
    @WireRecord
    public record Endpoint(
            @FieldDescription("Base URL of the mirror, http or https, without user and password.")
            @TextLimits(maxLength = 1024)
            @CelRules({MIRROR_URL, MIRROR_WITHOUT_USER, MIRROR_WITHOUT_PARAMETER})
            String url,

            @FieldDescription("Whether the URL's path replaces /v2. Default false.") @Nullable Boolean overridePath) {}
}

package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.osp.NodeFetch;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Copies;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One OperatingSystemProfile as lists show it.
 *
 * @param osVersion for information only
 * @param supportedKubernetesVersions constraint on the kubelet's version; absent means all
 * @param supportedNodeFetch tokens with which its machines can fetch the rest; absent means the shared one only
 * @param shared whether it lies in the shared namespace
 * @param isDefault whether the hub ships it
 * @param edited a shipped one that somebody edited: it is not upgraded any more
 */
public record Osp(
        Metadata metadata,
        String osName,
        @Nullable String osVersion,
        String version,
        @Nullable TemplateLanguage templateEngine,
        @Nullable ProvisioningUtility provisioningUtility,
        @Nullable List<String> supportedCloudProviders,
        @Nullable String supportedKubernetesVersions,
        @Nullable List<NodeFetch> supportedNodeFetch,
        @Nullable Boolean shared,
        @JsonProperty("isDefault") @Nullable Boolean isDefault,
        @Nullable Boolean edited,
        @Nullable String contentHash,
        Condition valid,
        UsedBy usedBy) {
    public Osp {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(osName, "osName");
        Objects.requireNonNull(version, "version");
        supportedCloudProviders = Copies.of(supportedCloudProviders);
        supportedNodeFetch = Copies.of(supportedNodeFetch);
        Objects.requireNonNull(valid, "valid");
        Objects.requireNonNull(usedBy, "usedBy");
    }

    /** The program that reads the user-data on the machine. */
    public enum ProvisioningUtility {
        @JsonProperty("cloud-init")
        CLOUD_INIT,
        @JsonProperty("ignition")
        IGNITION
    }
}

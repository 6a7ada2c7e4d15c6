package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.osp.NodeFetchMethod;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An OperatingSystemProfile in a list.
 *
 * @param osVersion informational
 * @param supportedKubernetesVersions constraint on the kubelet's version; absent means all
 * @param supportedNodeFetch tokens that its machines can use to fetch their configuration; absent means only the shared one
 * @param shared whether it is in the shared namespace
 * @param isDefault whether it is shipped with the hub
 * @param edited whether a shipped profile was edited and is no longer upgraded
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
        @Nullable List<NodeFetchMethod> supportedNodeFetch,
        @Nullable Boolean shared,
        @JsonProperty("isDefault") @Nullable Boolean isDefault,
        @Nullable Boolean edited,
        @Nullable String contentHash,
        Condition valid,
        UsedBy usedBy) {
    /** The program that processes user-data on the machine. */
    public enum ProvisioningUtility {
        @JsonProperty("cloud-init")
        CLOUD_INIT,
        @JsonProperty("ignition")
        IGNITION
    }

    /** Number of users of a profile that are visible to the caller. */
    public record UsedBy(int workerClusters, int machineDeployments) {}
}

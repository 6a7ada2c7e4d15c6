package io.osmhub.deploy.render;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The input of a rendering. File names are as given by the user; {@code -} is standard input.
 *
 * @param machineDeploymentName selects one of several, with or without namespace
 * @param settings file with the tenant's settings
 * @param clusterInfo file with the kubeconfig of ConfigMap {@code kube-public/cluster-info}
 * @param objects files with Kubernetes objects
 * @param peerFlags {@code NAME=VALUE} each
 * @param peerEnvironment {@code NAME=VALUE} each
 * @param namespace of the tenant; null to use that of the settings
 */
public record OfflineRenderRequest(
        String profile,
        String machineDeployment,
        @Nullable String machineDeploymentName,
        @Nullable String settings,
        @Nullable String clusterInfo,
        @Nullable String kubernetesCa,
        @Nullable String fetchToken,
        @Nullable String bootstrapToken,
        List<String> objects,
        List<String> peerFlags,
        List<String> peerEnvironment,
        @Nullable String namespace) {
    public OfflineRenderRequest {
        objects = List.copyOf(objects);
        peerFlags = List.copyOf(peerFlags);
        peerEnvironment = List.copyOf(peerEnvironment);
    }
}

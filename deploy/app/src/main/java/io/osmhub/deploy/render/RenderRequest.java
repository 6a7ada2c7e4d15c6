package io.osmhub.deploy.render;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rendering is made from. Files are named as their user names them; {@code -} is the standard input.
 *
 * @param machineDeploymentName which one, where the file has several; with or without its namespace
 * @param settings file with the tenant's settings
 * @param clusterInfo file with the kubeconfig of ConfigMap {@code kube-public/cluster-info}
 * @param objects files with Kubernetes objects
 * @param peerFlags {@code NAME=VALUE} each
 * @param peerEnvironment {@code NAME=VALUE} each
 * @param namespace of the tenant; null to take it from the settings
 */
public record RenderRequest(
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
    public RenderRequest {
        objects = List.copyOf(objects);
        peerFlags = List.copyOf(peerFlags);
        peerEnvironment = List.copyOf(peerEnvironment);
    }
}

package io.osmhub.deploy.render;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The input of a rendering. File names are as given by the user; {@code -} is standard input. */
public final class OfflineRenderRequest {
    @Option(
            names = "--osp",
            required = true,
            paramLabel = "FILE",
            description = "The OperatingSystemProfile; of several, the one named by the MachineDeployment.")
    String profile = "";

    @Option(
            names = {"-m", "--machine-deployment"},
            required = true,
            paramLabel = "FILE",
            description = "The MachineDeployment.")
    String machineDeployment = "";

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Select one of several MachineDeployments: NAME or NAMESPACE/NAME.")
    @Nullable String machineDeploymentName;

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description =
                    "The tenant's settings: a WorkerCluster, or only the fields of its spec (see docs/reference/settings.md).")
    @Nullable String settings;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description =
                    "Namespace of the tenant in the management cluster (default: that of --settings, else kube-system).")
    @Nullable String namespace;

    @Option(
            names = "--cluster-info",
            paramLabel = "FILE",
            description =
                    "Kubeconfig with the API server and its CA, as in key kubeconfig of kube-public/cluster-info.")
    @Nullable String clusterInfo;

    @Option(
            names = "--kubernetes-ca",
            paramLabel = "FILE",
            description = "PEM file with the API server's certificate authorities (default: those of --cluster-info).")
    @Nullable String kubernetesCa;

    @Option(
            names = "--bootstrap-token-file",
            paramLabel = "FILE",
            description = "File with the bootstrap token for joining kubelets, ID.SECRET.")
    @Nullable String bootstrapToken;

    @Option(
            names = "--fetch-token-file",
            paramLabel = "FILE",
            description = "File with the token for fetching the provisioning secret.")
    @Nullable String fetchToken;

    @Option(
            names = "--objects",
            paramLabel = "FILE",
            description = "Kubernetes objects referenced by settings (Secrets, ConfigMaps) or containing"
                    + " tokens; may be repeated.")
    List<String> objects = List.of();

    @Option(
            names = "--peer-flag",
            paramLabel = "NAME=VALUE",
            description = "Flag of Operating System Manager instead of a setting; may be repeated.")
    List<String> peerFlags = List.of();

    @Option(
            names = "--extension",
            paramLabel = "FILE",
            description = "File with OperatingSystemProfileExtensions; those that select the profile and the cloud"
                    + " provider are applied, whatever their policy; may be repeated.")
    List<String> extensions = List.of();

    /** Of the only MachineDeployment of a file, with placeholders instead of tokens. */
    public static OfflineRenderRequest of(String profile, String machineDeployment, @Nullable String settings) {
        OfflineRenderRequest request = new OfflineRenderRequest();
        request.profile = profile;
        request.machineDeployment = machineDeployment;
        request.settings = settings;
        return request;
    }
}

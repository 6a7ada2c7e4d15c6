package io.osmhub.core.workercluster;

import static io.osmhub.core.workercluster.WorkerClusterRule.API_SERVER_URL;
import static io.osmhub.core.workercluster.WorkerClusterRule.DOWNLOAD_URL;
import static io.osmhub.core.workercluster.WorkerClusterRule.FEATURE_GATE_NAMES;
import static io.osmhub.core.workercluster.WorkerClusterRule.IP_ADDRESS;
import static io.osmhub.core.workercluster.WorkerClusterRule.NO_PRIVATE_KEY;
import static io.osmhub.core.workercluster.WorkerClusterRule.ONE_BOOTSTRAP_TOKEN;
import static io.osmhub.core.workercluster.WorkerClusterRule.ONE_CERTIFICATE_SOURCE;
import static io.osmhub.core.workercluster.WorkerClusterRule.ONE_PROXY_SOURCE;
import static io.osmhub.core.workercluster.WorkerClusterRule.PEM_CERTIFICATE;
import static io.osmhub.core.workercluster.WorkerClusterRule.PLAIN_API_SERVER_URL;
import static io.osmhub.core.workercluster.WorkerClusterRule.PROXY_URL;
import static io.osmhub.core.workercluster.WorkerClusterRule.PROXY_WITHOUT_USER;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.Copies;
import io.osmhub.core.resource.Wire;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.schema.Atomic;
import io.osmhub.core.schema.Described;
import io.osmhub.core.schema.DurationBetween;
import io.osmhub.core.schema.NumberLimits;
import io.osmhub.core.schema.SizeLimits;
import io.osmhub.core.schema.TextLimits;
import io.osmhub.core.schema.UniqueBy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What reaches the rendered user-data; everything that the peer takes as a flag is here. Null inherits, empty does not. */
@Wire
public record ProvisioningSettings(
        @Described("Addresses of the cluster DNS service, in order.") @SizeLimits(min = 1, max = 8) @Atomic @Nullable List<@TextLimits(maxLength = 45) @Obeys(IP_ADDRESS) String> clusterDNS,

        @Described(
                "Whether an external cloud controller manager serves the worker cluster. True suppresses the in-tree cloud config.")
        @Nullable Boolean externalCloudProvider,

        @Described("Settings of the kubelet.") @Nullable Kubelet kubelet,

        @Described("Settings of the container runtime.") @Nullable ContainerRuntime containerRuntime,

        @Described("Image registries.") @Nullable RegistrySettings registries,

        @Described("Proxy of the nodes. Not the proxy of the hub's own connections.") @Nullable Proxy proxy,

        @Described(
                "Certificate authorities of the worker cluster's API server, as nodes get them. Default: those of the kubeconfig. "
                        + "Exactly one of the three fields; an empty inline text switches an inherited bundle off.")
        @Nullable CertificateBundle kubernetesCA,

        @Described(
                "Certificate authorities that nodes trust for everything else (proxies, registries). Exactly one of the three fields; "
                        + "an empty inline text switches an inherited bundle off.")
        @Nullable CertificateBundle hostCA,

        @Described("How nodes fetch their configuration and join.") @Nullable Bootstrap bootstrap,

        @Described(
                "Secret of the same namespace whose keys stand for the environment variables that the in-tree cloud config reads "
                        + "(kubelet below 1.29 only). The hub's own environment is never read for a tenant. An empty name switches an inherited one off.")
        @Nullable SecretRef cloudCredentialsSecretRef,

        @Described("Base URLs of downloads, for profiles that use them. Left out, the public ones.") @Nullable Downloads downloads,

        @Described(
                "Whether nodes have no way out. Profiles that know it then use only the base URLs above and what the image holds.")
        @Nullable Boolean airGapped,

        @Described("Largest bootstrap user-data, in bytes, in place of the limit of the cloud provider.")
        @NumberLimits(min = 1024, max = 1048576)
        @Nullable Integer userDataLimitBytes) {

    public ProvisioningSettings {
        clusterDNS = Copies.of(clusterDNS);
    }

    /** Settings of the kubelet. */
    @Wire
    public record Kubelet(
            @Described("Feature gates. RotateKubeletServerCertificate=true is added unless the map names it.")
            @SizeLimits(max = 64)
            @Obeys(FEATURE_GATE_NAMES)
            @Nullable Map<String, Boolean> featureGates,

            @Described("Taints that a node registers with.")
            @SizeLimits(max = 32)
            @UniqueBy({"key", "effect"})
            @Nullable List<Taint> initialTaints) {
        public Kubelet {
            featureGates = Copies.of(featureGates);
            initialTaints = Copies.of(initialTaints);
        }
    }

    /** A taint. Without a value its text is {@code key:effect}, with an empty one {@code key=:effect}. */
    @Wire
    public record Taint(
            @Described("Taint key, as in a node's spec.taints.")
            @TextLimits(
                    minLength = 1,
                    maxLength = 317,
                    pattern = "^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$",
                    form = "a label key such as dedicated or example.org/dedicated")
            String key,

            @Described("Taint value. Left out, the text is key:effect; an empty value gives key=:effect.")
            @TextLimits(
                    maxLength = 63,
                    pattern = "^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",
                    form = "a label value: letters, digits, '-', '_' and '.'")
            @Nullable String value,

            @Described("What the taint does to pods that do not tolerate it.")
            TaintEffect effect) {}

    /** What a taint does to pods that do not tolerate it. */
    @WireEnum
    public enum TaintEffect {
        @JsonProperty("NoSchedule")
        NO_SCHEDULE,
        @JsonProperty("PreferNoSchedule")
        PREFER_NO_SCHEDULE,
        @JsonProperty("NoExecute")
        NO_EXECUTE
    }

    /** Settings of the container runtime. */
    @Wire
    public record ContainerRuntime(
            @Described("Container runtime.") @Nullable RuntimeName name,

            @Described("Image of the pod sandbox. An empty text leaves the runtime's own.")
            @TextLimits(
                    maxLength = 512,
                    pattern = "^[^\\s\"\\\\]*$",
                    form = "an image without blanks, quotes and backslashes")
            @Nullable String pauseImage,

            @Described("Whether devices in a pod get the user and group of its security context.") @Nullable Boolean deviceOwnershipFromSecurityContext) {}

    /** The container runtimes that are served. */
    @WireEnum
    public enum RuntimeName {
        @JsonProperty("containerd")
        CONTAINERD
    }

    /** Proxy of the nodes. */
    @Wire
    @Obeys(ONE_PROXY_SOURCE)
    public record Proxy(
            @Described("URL used for http and https, without user and password. An empty text means no proxy.")
            @TextLimits(maxLength = 1024)
            @Obeys({PROXY_URL, PROXY_WITHOUT_USER})
            @Nullable String httpProxy,

            @Described(
                    "Key of a Secret of the same namespace whose value is the proxy's URL, with user and password if need be.")
            @Nullable KeyRef httpProxySecretRef,

            @Described("Names and networks that are reached without the proxy. An empty list means none.")
            @SizeLimits(max = 128)
            @Atomic
            @Nullable List<
                            @TextLimits(
                                    minLength = 1,
                                    maxLength = 253,
                                    pattern = "^[^\\s,]+$",
                                    form = "one name or network, without blanks and commas")
                            String>
                    noProxy) {
        public Proxy {
            noProxy = Copies.of(noProxy);
        }
    }

    /** Certificates in one of three places. */
    @Wire
    @Obeys(ONE_CERTIFICATE_SOURCE)
    public record CertificateBundle(
            @Described("PEM text with at least one certificate.")
            @TextLimits(maxLength = 131072)
            @Obeys({PEM_CERTIFICATE, NO_PRIVATE_KEY})
            @Nullable String inline,

            @Described("Key of a ConfigMap of the same namespace.") @Nullable KeyRef configMapKeyRef,

            @Described("Key of a Secret of the same namespace.") @Nullable KeyRef secretKeyRef) {}

    /** How nodes fetch their configuration and join. */
    @Wire
    @Obeys(ONE_BOOTSTRAP_TOKEN)
    public record Bootstrap(
            @Described(
                    "API server that nodes use, in place of the one of cluster-info. An empty text switches an inherited one off.")
            @TextLimits(maxLength = 1024)
            @Obeys({API_SERVER_URL, PLAIN_API_SERVER_URL})
            @Nullable String apiServerURL,

            @Described(
                    "Life of a bootstrap token from each extension. The hub extends it 70 minutes before its end. 90m to 24h, default 2h.")
            @TextLimits(maxLength = 20)
            @DurationBetween(shortest = "90m", longest = "24h")
            @Nullable String tokenTTL,

            @Described("ServiceAccount in the worker cluster whose token Secret replaces bootstrap tokens.") @Nullable ServiceAccountRef serviceAccountRef,

            @Described(
                    "What a node's user-data carries to fetch its provisioning secret. SharedToken is the token of cloud-init-getter; "
                            + "ScopedToken is one for each MachineDeployment, short-lived and limited to its own secrets. "
                            + "Auto takes ScopedToken where the worker cluster grants it and the profile supports it, else SharedToken. Default Auto.")
            @Nullable NodeFetch nodeFetch) {}

    /** What a node's user-data carries to fetch its provisioning secret. */
    @WireEnum
    public enum NodeFetch {
        @JsonProperty("Auto")
        AUTO,
        @JsonProperty("SharedToken")
        SHARED_TOKEN,
        @JsonProperty("ScopedToken")
        SCOPED_TOKEN
    }

    /** Base URLs of downloads. An empty text means the public one. */
    @Wire
    public record Downloads(
            @Described("Base URL of Kubernetes release binaries.")
            @TextLimits(maxLength = 1024)
            @Obeys(DOWNLOAD_URL)
            @Nullable String kubernetes,

            @Described("Base URL of CNI plugin releases.") @TextLimits(maxLength = 1024) @Obeys(DOWNLOAD_URL) @Nullable String cniPlugins,

            @Described("Base URL of crictl releases.") @TextLimits(maxLength = 1024) @Obeys(DOWNLOAD_URL) @Nullable String criTools,

            @Described("Base URL of the containerd package repository.")
            @TextLimits(maxLength = 1024)
            @Obeys(DOWNLOAD_URL)
            @Nullable String containerd,

            @Described("Base URL of the operating system's package repository.")
            @TextLimits(maxLength = 1024)
            @Obeys(DOWNLOAD_URL)
            @Nullable String osPackages) {}
}

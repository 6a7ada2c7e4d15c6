package io.osmhub.core.workercluster;

import static io.osmhub.core.workercluster.WorkerClusterCelRule.API_SERVER_URL;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.DOWNLOAD_URL;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.FEATURE_GATE_NAMES;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.IP_ADDRESS;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.MIRROR_URL;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.MIRROR_WITHOUT_PARAMETER;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.MIRROR_WITHOUT_USER;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.NO_PRIVATE_KEY;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.ONE_BOOTSTRAP_TOKEN;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.ONE_CERTIFICATE_SOURCE;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.ONE_PROXY_SOURCE;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.PEM_CERTIFICATE;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.PLAIN_API_SERVER_URL;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.PROXY_URL;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.PROXY_WITHOUT_USER;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.NameRules.DataKey;
import io.osmhub.core.resource.NameRules.ObjectName;
import io.osmhub.core.resource.NameRules.ObjectNameOrEmpty;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldAnnotations.Atomic;
import io.osmhub.core.schema.FieldAnnotations.DurationLimits;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.ListMapKeys;
import io.osmhub.core.schema.FieldAnnotations.NumberLimits;
import io.osmhub.core.schema.FieldAnnotations.SizeLimits;
import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import io.osmhub.core.schema.FieldAnnotations.UniqueItems;
import io.osmhub.core.workercluster.WorkerClusterCelRule.CelRules;
import io.osmhub.core.workercluster.WorkerClusterSpec.ServiceAccountRef;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values for rendered user-data, including all of OSM's flags. Null inherits, empty does not. */
@WireRecord
public record ProvisioningSettings(
        @FieldDescription("Addresses of the cluster DNS service, in order.")
        @SizeLimits(min = 1, max = 8)
        @Atomic
        @Nullable List<@TextLimits(maxLength = 45) @CelRules(IP_ADDRESS) String> clusterDNS,

        @FieldDescription(
                "Whether an external cloud controller manager serves the worker cluster. True suppresses the in-tree cloud config.")
        @Nullable Boolean externalCloudProvider,

        @FieldDescription("Settings of the kubelet.") @Nullable Kubelet kubelet,

        @FieldDescription("Settings of the container runtime.") @Nullable ContainerRuntime containerRuntime,

        @FieldDescription("Image registries.") @Nullable RegistrySettings registries,

        @FieldDescription("Proxy of the nodes. Not the proxy of the hub's own connections.") @Nullable Proxy proxy,

        @FieldDescription(
                "Certificate authorities of the worker cluster's API server, as nodes get them. Default: those of the kubeconfig. "
                        + "Exactly one of the three fields; an empty inline text switches an inherited bundle off.")
        @Nullable CertificateBundle kubernetesCA,

        @FieldDescription(
                "Certificate authorities that nodes trust for everything else (proxies, registries). Exactly one of the three fields; "
                        + "an empty inline text switches an inherited bundle off.")
        @Nullable CertificateBundle hostCA,

        @FieldDescription("How nodes fetch their configuration and join.") @Nullable Bootstrap bootstrap,

        @FieldDescription(
                "Secret of the same namespace whose keys stand for the environment variables that the in-tree cloud config reads "
                        + "(kubelet below 1.29 only). The hub's own environment is never read for a tenant. An empty name switches an inherited one off.")
        @Nullable SecretRef cloudCredentialsSecretRef,

        @FieldDescription("Base URLs of downloads, for profiles that use them. Left out, the public ones.") @Nullable Downloads downloads,

        @FieldDescription(
                "Whether nodes have no way out. Profiles that know it then use only the base URLs above and what the image holds.")
        @Nullable Boolean airGapped,

        @FieldDescription("Largest bootstrap user-data, in bytes, in place of the limit of the cloud provider.")
        @NumberLimits(min = 1024, max = 1048576)
        @Nullable Integer userDataLimitBytes) {

    public ProvisioningSettings {
        clusterDNS = NullableCollections.copyOf(clusterDNS);
    }

    /** Settings of the kubelet. */
    @WireRecord
    public record Kubelet(
            @FieldDescription("Feature gates. RotateKubeletServerCertificate=true is added unless the map names it.")
            @SizeLimits(max = 64)
            @CelRules(FEATURE_GATE_NAMES)
            @Nullable Map<String, Boolean> featureGates,

            @FieldDescription("Taints that a node registers with.")
            @SizeLimits(max = 32)
            @ListMapKeys({"key", "effect"})
            @Nullable List<Taint> initialTaints) {
        public Kubelet {
            featureGates = NullableCollections.copyOf(featureGates);
            initialTaints = NullableCollections.copyOf(initialTaints);
        }
    }

    /** A taint. Its text is {@code key:effect} without a value, {@code key=:effect} with an empty one. */
    @WireRecord
    public record Taint(
            @FieldDescription("Taint key, as in a node's spec.taints.")
            @TextLimits(
                    minLength = 1,
                    maxLength = 317,
                    pattern = "^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$",
                    form = "a label key such as dedicated or example.org/dedicated")
            String key,

            @FieldDescription("Taint value. Left out, the text is key:effect; an empty value gives key=:effect.")
            @TextLimits(
                    maxLength = 63,
                    pattern = "^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",
                    form = "a label value: letters, digits, '-', '_' and '.'")
            @Nullable String value,

            @FieldDescription("What the taint does to pods that do not tolerate it.")
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
    @WireRecord
    public record ContainerRuntime(
            @FieldDescription("Container runtime.") @Nullable RuntimeName name,

            @FieldDescription("Image of the pod sandbox. An empty text leaves the runtime's own.")
            @TextLimits(
                    maxLength = 512,
                    pattern = "^[^\\s\"\\\\]*$",
                    form = "an image without blanks, quotes and backslashes")
            @Nullable String pauseImage,

            @FieldDescription("Whether devices in a pod get the user and group of its security context.") @Nullable Boolean deviceOwnershipFromSecurityContext) {}

    /** The supported container runtimes. */
    @WireEnum
    public enum RuntimeName {
        @JsonProperty("containerd")
        CONTAINERD
    }

    /** Proxy of the nodes. */
    @WireRecord
    @CelRules(ONE_PROXY_SOURCE)
    public record Proxy(
            @FieldDescription("URL used for http and https, without user and password. An empty text means no proxy.")
            @TextLimits(maxLength = 1024)
            @CelRules({PROXY_URL, PROXY_WITHOUT_USER})
            @Nullable String httpProxy,

            @FieldDescription(
                    "Key of a Secret of the same namespace whose value is the proxy's URL, with user and password if need be.")
            @Nullable LocalKeyRef httpProxySecretRef,

            @FieldDescription("Names and networks that are reached without the proxy. An empty list means none.")
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
            noProxy = NullableCollections.copyOf(noProxy);
        }
    }

    /** Certificates in one of three places. */
    @WireRecord
    @CelRules(ONE_CERTIFICATE_SOURCE)
    public record CertificateBundle(
            @FieldDescription("PEM text with at least one certificate.")
            @TextLimits(maxLength = 131072)
            @CelRules({PEM_CERTIFICATE, NO_PRIVATE_KEY})
            @Nullable String inline,

            @FieldDescription("Key of a ConfigMap of the same namespace.") @Nullable LocalKeyRef configMapKeyRef,

            @FieldDescription("Key of a Secret of the same namespace.") @Nullable LocalKeyRef secretKeyRef) {}

    /** How nodes fetch their configuration and join. */
    @WireRecord
    @CelRules(ONE_BOOTSTRAP_TOKEN)
    public record Bootstrap(
            @FieldDescription(
                    "API server that nodes use, in place of the one of cluster-info. An empty text switches an inherited one off.")
            @TextLimits(maxLength = 1024)
            @CelRules({API_SERVER_URL, PLAIN_API_SERVER_URL})
            @Nullable String apiServerURL,

            @FieldDescription(
                    "Life of a bootstrap token from each extension. The hub extends it 70 minutes before its end. 90m to 24h, default 2h.")
            @TextLimits(maxLength = 20)
            @DurationLimits(shortest = "90m", longest = "24h")
            @Nullable String tokenTTL,

            @FieldDescription("ServiceAccount in the worker cluster whose token Secret replaces bootstrap tokens.")
            @Nullable ServiceAccountRef serviceAccountRef,

            @FieldDescription(
                    "What a node's user-data carries to fetch its provisioning secret. SharedToken is the token of cloud-init-getter; "
                            + "ScopedToken is one for each MachineDeployment, short-lived and limited to its own secrets. "
                            + "Auto takes ScopedToken where the worker cluster grants it and the profile supports it, else SharedToken. Default Auto.")
            @Nullable NodeFetch nodeFetch) {}

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
    @WireRecord
    public record Downloads(
            @FieldDescription("Base URL of Kubernetes release binaries.")
            @TextLimits(maxLength = 1024)
            @CelRules(DOWNLOAD_URL)
            @Nullable String kubernetes,

            @FieldDescription("Base URL of CNI plugin releases.")
            @TextLimits(maxLength = 1024)
            @CelRules(DOWNLOAD_URL)
            @Nullable String cniPlugins,

            @FieldDescription("Base URL of crictl releases.")
            @TextLimits(maxLength = 1024)
            @CelRules(DOWNLOAD_URL)
            @Nullable String criTools,

            @FieldDescription("Base URL of the containerd package repository.")
            @TextLimits(maxLength = 1024)
            @CelRules(DOWNLOAD_URL)
            @Nullable String containerd,

            @FieldDescription("Base URL of the operating system's package repository.")
            @TextLimits(maxLength = 1024)
            @CelRules(DOWNLOAD_URL)
            @Nullable String osPackages) {}

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
                @FieldDescription(
                        "Registry that is mirrored, for example docker.io; \"*\" or \"_default\" for all others.")
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

    /** An image registry as the container runtime names it, without a scheme. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @TextLimits(
            minLength = 1,
            maxLength = 253,
            pattern =
                    "^(\\*|_default|[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:[0-9]{1,5})?(/[A-Za-z0-9._/-]+)?|\\[[0-9A-Fa-f:]+\\](:[0-9]{1,5})?)$",
            form = "a registry without scheme: host, host:port, \"*\" or \"_default\"")
    @interface RegistryName {}

    /** A key of a Secret or ConfigMap in the tenant's namespace; other namespaces cannot be named. */
    @WireRecord
    @Atomic
    public record LocalKeyRef(
            @FieldDescription("Name.") @ObjectName String name,
            @FieldDescription("Key in its data.") @DataKey String key) {}

    /** A Secret of the tenant's own namespace. An empty name switches an inherited reference off. */
    @WireRecord
    @Atomic
    public record SecretRef(
            @FieldDescription("Name of the Secret.") @ObjectNameOrEmpty
            String name) {}
}

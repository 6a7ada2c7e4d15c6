package io.osmhub.core.settings;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.schema.DurationFormat;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The effective settings of one tenant. References are names only; resolving them is an input of rendering. The names of the fields
 * are those of {@code spec} of a WorkerCluster.
 */
public record TenantSettings(Provisioning provisioning, Profiles profiles, Connection connection, Admission admission) {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addModule(new SimpleModule().addDeserializer(Duration.class, new FromStringDeserializer<>(Duration.class) {
                @Override
                protected Duration _deserialize(String text, DeserializationContext context) {
                    return DurationFormat.parseOrThrow(text);
                }
            }))
            .build();

    /** @param spec valid settings with their defaults */
    static TenantSettings of(JsonNode spec) {
        try {
            return JSON.treeToValue(spec, TenantSettings.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("invalid settings: " + e.getOriginalMessage(), e);
        }
    }

    /** What reaches the rendered user-data. */
    public record Provisioning(
            @JsonProperty("clusterDNS") List<String> clusterDns,
            boolean externalCloudProvider,
            Kubelet kubelet,
            ContainerRuntime containerRuntime,
            Registries registries,
            Proxy proxy,
            @JsonProperty("kubernetesCA") CaBundle kubernetesCa,
            @JsonProperty("hostCA") CaBundle hostCa,
            Bootstrap bootstrap,

            @JsonProperty("cloudCredentialsSecretRef") @Nullable SecretName cloudCredentialsSecret,

            Downloads downloads,
            boolean airGapped,
            @Nullable Integer userDataLimitBytes) {
        public Provisioning {
            // Nodes get addresses as Go prints them.
            clusterDns = clusterDns.stream()
                    .map(text -> Objects.toString(IpAddress.parse(text), text))
                    .toList();
            cloudCredentialsSecret = SecretName.nullIfOff(cloudCredentialsSecret);
        }
    }

    /** {@code featureGates} is never empty; {@code initialTaints} is the text for templates. */
    public record Kubelet(SortedMap<String, Boolean> featureGates, String initialTaints) {
        /** Added to the feature gates unless they include it. */
        public static final String ROTATION = "RotateKubeletServerCertificate";

        public Kubelet {
            SortedMap<String, Boolean> gates = new TreeMap<>(featureGates);
            gates.putIfAbsent(ROTATION, true);
            featureGates = Collections.unmodifiableSortedMap(gates);
        }

        @JsonCreator
        static Kubelet of(
                @JsonProperty("featureGates") SortedMap<String, Boolean> featureGates,
                @JsonProperty("initialTaints") List<Taint> initialTaints) {
            return new Kubelet(
                    featureGates, initialTaints.stream().map(Taint::text).collect(Collectors.joining(",")));
        }

        /** A taint as a field; its text is that of OSM's flag, which may lack an effect. */
        private record Taint(
                String key,
                @Nullable String value,
                @Nullable String effect) {
            String text() {
                return key + (value == null ? "" : "=" + value) + (effect == null ? "" : ":" + effect);
            }
        }
    }

    /** {@code pauseImage} is empty for the runtime's default. */
    public record ContainerRuntime(String name, String pauseImage, boolean deviceOwnershipFromSecurityContext) {}

    /** @param credentialsSecret null without credentials */
    public record Registries(
            List<String> insecure,
            List<Mirror> mirrors,
            @JsonProperty("credentialsSecretRef") @Nullable SecretName credentialsSecret) {
        public Registries {
            insecure = List.copyOf(insecure);
            mirrors = List.copyOf(mirrors);
            credentialsSecret = SecretName.nullIfOff(credentialsSecret);
        }
    }

    /** Mirrors of one registry, in the order of attempts. */
    public record Mirror(String registry, List<Endpoint> endpoints) {
        public Mirror {
            endpoints = List.copyOf(endpoints);
        }
    }

    /** {@code url} is written verbatim. */
    public record Endpoint(String url, boolean overridePath) {}

    /**
     * The nodes' proxy.
     *
     * @param httpProxy empty without a proxy
     * @param httpProxySecret replaces {@code httpProxy}; null if none
     * @param noProxy items joined by commas, for templates
     */
    public record Proxy(String httpProxy, @Nullable KeyRef httpProxySecret, String noProxy) {
        @JsonCreator
        static Proxy of(
                @JsonProperty("httpProxy") String httpProxy,
                @JsonProperty("httpProxySecretRef") @Nullable KeyRef httpProxySecret,
                @JsonProperty("noProxy") List<String> noProxy) {
            return new Proxy(httpProxy, httpProxySecret, String.join(",", noProxy));
        }
    }

    /**
     * Source of a bundle of certificate authorities; at most one is given.
     *
     * @param inline certificates and comments; empty if not given or to switch an inherited bundle off: the default applies
     */
    public record CaBundle(
            String inline,
            @JsonProperty("configMapKeyRef") @Nullable KeyRef configMap,
            @JsonProperty("secretKeyRef") @Nullable KeyRef secret) {
        public CaBundle {
            inline = PemBundle.certificatesAndComments(Objects.requireNonNullElse(inline, ""));
        }

        /** Whether the default does not apply. */
        public boolean exists() {
            return !inline.isEmpty() || configMap != null || secret != null;
        }
    }

    /** A key of a Secret or ConfigMap of the tenant's namespace. */
    public record KeyRef(String name, String key) {}

    /** A Secret; {@code namespace} is empty for the tenant's namespace. Only OSM's flags name another one. */
    public record SecretName(String namespace, String name) {
        public SecretName {
            namespace = Objects.requireNonNullElse(namespace, "");
        }

        /** An empty name switches an inherited reference off. */
        static @Nullable SecretName nullIfOff(@Nullable SecretName secret) {
            return secret == null || secret.name.isEmpty() ? null : secret;
        }
    }

    /** A ServiceAccount of the worker cluster. */
    public record ServiceAccountName(String namespace, String name) {}

    /** How nodes fetch their configuration and join. {@code apiServerUrl} is empty to use cluster-info's. */
    public record Bootstrap(
            @JsonProperty("apiServerURL") String apiServerUrl,
            @JsonProperty("serviceAccountRef") @Nullable ServiceAccountName serviceAccount,
            @JsonProperty("tokenTTL") Duration tokenTtl,
            NodeFetch nodeFetch) {}

    /** What a node's user-data carries to fetch its provisioning secret. */
    public enum NodeFetch {
        /** The token of its MachineDeployment where the worker cluster grants it and the profile supports it, else the shared one. */
        @JsonProperty("Auto")
        AUTO,
        @JsonProperty("SharedToken")
        SHARED_TOKEN,
        @JsonProperty("ScopedToken")
        SCOPED_TOKEN
    }

    /** Base URLs of downloads; empty for the public ones. */
    public record Downloads(
            String kubernetes, String cniPlugins, String criTools, String containerd, String osPackages) {}

    /** Where the tenant's profiles come from. */
    public record Profiles(
            List<String> namespaces, InstallDefaults installDefaults, Map<String, String> byOperatingSystem) {
        public Profiles {
            namespaces = List.copyOf(namespaces);
            byOperatingSystem = Map.copyOf(byOperatingSystem);
        }
    }

    /** Where the default profiles are installed for a tenant. */
    public enum InstallDefaults {
        @JsonProperty("Shared")
        SHARED,
        @JsonProperty("PerNamespace")
        PER_NAMESPACE,
        @JsonProperty("None")
        NONE
    }

    /** How the hub connects to the worker cluster. */
    public record Connection(
            int maxConcurrentReconciles, Duration requestTimeout, Duration pingInterval, WriteBudget writeBudget) {}

    /** Writes to the worker cluster: an average rate and a burst. */
    public record WriteBudget(int perSecond, int burst) {}

    /** Admission in the worker cluster; {@code mode} is null if it follows from the hub's configuration. */
    public record Admission(@Nullable AdmissionMode mode, FailurePolicy failurePolicy, int timeoutSeconds) {}

    /** Whether the hub keeps a webhook configuration in the worker cluster. */
    public enum AdmissionMode {
        @JsonProperty("Managed")
        MANAGED,
        @JsonProperty("None")
        NONE
    }

    /** What the worker cluster does when the hub does not answer. */
    public enum FailurePolicy {
        @JsonProperty("Ignore")
        IGNORE,
        @JsonProperty("Fail")
        FAIL
    }
}

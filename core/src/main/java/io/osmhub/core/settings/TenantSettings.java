package io.osmhub.core.settings;

import io.osmhub.core.workercluster.ProvisioningSettings.NodeFetch;
import io.osmhub.core.workercluster.WorkerClusterSpec.AdmissionSettings.AdmissionMode;
import io.osmhub.core.workercluster.WorkerClusterSpec.AdmissionSettings.FailurePolicy;
import io.osmhub.core.workercluster.WorkerClusterSpec.ProfileSettings.InstallDefaults;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The effective settings of one tenant. References are names only; resolving them is an input of rendering. */
public record TenantSettings(Provisioning provisioning, Profiles profiles, Connection connection, Admission admission) {
    /** What reaches the rendered user-data. */
    public record Provisioning(
            List<String> clusterDns,
            boolean externalCloudProvider,
            Kubelet kubelet,
            ContainerRuntime containerRuntime,
            Registries registries,
            Proxy proxy,
            CaBundle kubernetesCa,
            CaBundle hostCa,
            Bootstrap bootstrap,
            @Nullable String cloudCredentialsSecret,
            Downloads downloads,
            boolean airGapped,
            @Nullable Integer userDataLimitBytes) {
        public Provisioning {
            clusterDns = List.copyOf(clusterDns);
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
    }

    /** {@code pauseImage} is empty for the runtime's default. */
    public record ContainerRuntime(String name, String pauseImage, boolean deviceOwnershipFromSecurityContext) {}

    /** @param credentialsSecret null without credentials */
    public record Registries(
            List<String> insecure,
            List<Mirror> mirrors,
            @Nullable SecretName credentialsSecret) {
        public Registries {
            insecure = List.copyOf(insecure);
            mirrors = List.copyOf(mirrors);
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
    public record Proxy(String httpProxy, @Nullable KeyRef httpProxySecret, String noProxy) {}

    /** Source of a bundle of certificate authorities. */
    public sealed interface CaBundle {
        /** Not set: the default applies. */
        record None() implements CaBundle {}

        /** The certificates and comments of a text. */
        record Inline(String pem) implements CaBundle {
            public Inline {
                pem = PemBundle.certificatesAndComments(pem);
            }
        }

        record FromConfigMap(KeyRef ref) implements CaBundle {}

        record FromSecret(KeyRef ref) implements CaBundle {}
    }

    /** A key of a Secret or ConfigMap of the tenant's namespace. */
    public record KeyRef(String name, String key) {}

    /** A Secret; {@code namespace} is empty for the tenant's namespace. Only OSM's flags name another one. */
    public record SecretName(String namespace, String name) {}

    /** A ServiceAccount of the worker cluster. */
    public record ServiceAccountName(String namespace, String name) {}

    /** How nodes fetch their configuration and join. {@code apiServerUrl} is empty to use cluster-info's. */
    public record Bootstrap(
            String apiServerUrl, @Nullable ServiceAccountName serviceAccount, Duration tokenTtl, NodeFetch nodeFetch) {}

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

    /** How the hub connects to the worker cluster. */
    public record Connection(
            int maxConcurrentReconciles, Duration requestTimeout, Duration pingInterval, WriteBudget writeBudget) {}

    /** Writes to the worker cluster: an average rate and a burst. */
    public record WriteBudget(int perSecond, int burst) {}

    /** Admission in the worker cluster; {@code mode} is null if it follows from the hub's configuration. */
    public record Admission(@Nullable AdmissionMode mode, FailurePolicy failurePolicy, int timeoutSeconds) {}
}

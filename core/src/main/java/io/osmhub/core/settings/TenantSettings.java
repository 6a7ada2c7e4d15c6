package io.osmhub.core.settings;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The effective settings of one tenant. References are names only; what they lead to is an input of rendering. */
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

    /** {@code featureGates} is never empty; {@code initialTaints} is the text that templates see. */
    public record Kubelet(SortedMap<String, Boolean> featureGates, String initialTaints) {
        /** Added to the feature gates unless they name it. */
        public static final String ROTATION = "RotateKubeletServerCertificate";

        public Kubelet {
            SortedMap<String, Boolean> gates = new TreeMap<>(featureGates);
            gates.putIfAbsent(ROTATION, true);
            featureGates = Collections.unmodifiableSortedMap(gates);
        }
    }

    /** {@code pauseImage} is empty when the runtime's own is used. */
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

    /** Mirrors of one registry, in the order in which they are tried. */
    public record Mirror(String registry, List<Endpoint> endpoints) {
        public Mirror {
            endpoints = List.copyOf(endpoints);
        }
    }

    /** {@code url} is written as it is. */
    public record Endpoint(String url, boolean overridePath) {}

    /**
     * The nodes' proxy.
     *
     * @param httpProxy empty without a proxy
     * @param httpProxySecret names the secret text that is used in place of {@code httpProxy}; null when there is none
     * @param noProxy items joined by commas, as templates see it
     */
    public record Proxy(String httpProxy, @Nullable KeyRef httpProxySecret, String noProxy) {}

    /** Where a bundle of certificate authorities comes from. */
    public sealed interface CaBundle {
        /** None of its own: the default applies. */
        record None() implements CaBundle {}

        /** The certificates of a text and its comments, and nothing else of it. */
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

    /** A Secret; {@code namespace} is empty for the tenant's own. Only the peer's flags name another one. */
    public record SecretName(String namespace, String name) {}

    /** A ServiceAccount of the worker cluster. */
    public record ServiceAccountName(String namespace, String name) {}

    /** How nodes fetch their configuration and join. {@code apiServerUrl} is empty to use cluster-info's. */
    public record Bootstrap(
            String apiServerUrl, @Nullable ServiceAccountName serviceAccount, Duration tokenTtl, NodeFetch nodeFetch) {}

    /** What user-data carries to fetch the provisioning secret. */
    public enum NodeFetch {
        AUTO("Auto"),
        SHARED_TOKEN("SharedToken"),
        SCOPED_TOKEN("ScopedToken");

        private final String wireName;

        NodeFetch(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /** Base URLs of downloads; empty = the public ones. */
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

    /** Where default profiles are installed. */
    public enum InstallDefaults {
        SHARED("Shared"),
        PER_NAMESPACE("PerNamespace"),
        NONE("None");

        private final String wireName;

        InstallDefaults(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /** How the hub talks to the worker cluster. */
    public record Connection(
            int maxConcurrentReconciles, Duration requestTimeout, Duration pingInterval, WriteBudget writeBudget) {}

    /** Writes to the worker cluster: a lasting rate and a burst. */
    public record WriteBudget(int perSecond, int burst) {}

    /** Admission in the worker cluster; {@code mode} is null where it follows from the hub's configuration. */
    public record Admission(@Nullable Mode mode, FailurePolicy failurePolicy, int timeoutSeconds) {
        /** Whether the hub keeps its webhook in the worker cluster. */
        public enum Mode {
            MANAGED("Managed"),
            NONE("None");

            private final String wireName;

            Mode(String wireName) {
                this.wireName = wireName;
            }

            public String wireName() {
                return wireName;
            }
        }

        /** What the API server does when the webhook does not answer. */
        public enum FailurePolicy {
            FAIL("Fail"),
            IGNORE("Ignore");

            private final String wireName;

            FailurePolicy(String wireName) {
                this.wireName = wireName;
            }

            public String wireName() {
                return wireName;
            }
        }
    }
}

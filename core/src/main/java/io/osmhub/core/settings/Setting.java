package io.osmhub.core.settings;

import io.osmhub.core.settings.TenantSettings.Admission;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.InstallDefaults;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Kubelet;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.NodeFetchMode;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.core.settings.TenantSettings.ServiceAccountName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One setting: the unit that a layer sets or inherits. A higher layer's value replaces a lower one's completely.
 *
 * @param path of the field below {@code spec} of a WorkerCluster
 * @param builtIn the default when no layer sets it
 */
public record Setting<T>(String path, T builtIn) {
    public static final Setting<List<String>> CLUSTER_DNS =
            new Setting<>("provisioning.clusterDNS", List.of("10.10.10.10"));
    public static final Setting<Boolean> EXTERNAL_CLOUD_PROVIDER =
            new Setting<>("provisioning.externalCloudProvider", false);
    public static final Setting<Map<String, Boolean>> FEATURE_GATES =
            new Setting<>("provisioning.kubelet.featureGates", Map.of(Kubelet.ROTATION, true));
    public static final Setting<String> INITIAL_TAINTS = new Setting<>("provisioning.kubelet.initialTaints", "");
    public static final Setting<String> CONTAINER_RUNTIME =
            new Setting<>("provisioning.containerRuntime.name", "containerd");
    public static final Setting<String> PAUSE_IMAGE = new Setting<>("provisioning.containerRuntime.pauseImage", "");
    public static final Setting<Boolean> DEVICE_OWNERSHIP =
            new Setting<>("provisioning.containerRuntime.deviceOwnershipFromSecurityContext", false);
    public static final Setting<List<String>> INSECURE_REGISTRIES =
            new Setting<>("provisioning.registries.insecure", List.of());
    public static final Setting<List<Mirror>> MIRRORS = new Setting<>("provisioning.registries.mirrors", List.of());
    public static final Setting<Optional<SecretName>> REGISTRY_CREDENTIALS =
            new Setting<>("provisioning.registries.credentialsSecretRef", Optional.empty());
    public static final Setting<String> HTTP_PROXY = new Setting<>("provisioning.proxy.httpProxy", "");
    public static final Setting<Optional<KeyRef>> HTTP_PROXY_SECRET =
            new Setting<>("provisioning.proxy.httpProxySecretRef", Optional.empty());
    public static final Setting<String> NO_PROXY =
            new Setting<>("provisioning.proxy.noProxy", ".svc,.cluster.local,localhost,127.0.0.1");
    public static final Setting<CaBundle> KUBERNETES_CA =
            new Setting<>("provisioning.kubernetesCA", new CaBundle.None());
    public static final Setting<CaBundle> HOST_CA = new Setting<>("provisioning.hostCA", new CaBundle.None());
    public static final Setting<String> API_SERVER_URL = new Setting<>("provisioning.bootstrap.apiServerURL", "");
    public static final Setting<Optional<ServiceAccountName>> SERVICE_ACCOUNT =
            new Setting<>("provisioning.bootstrap.serviceAccountRef", Optional.empty());
    public static final Setting<Duration> TOKEN_TTL =
            new Setting<>("provisioning.bootstrap.tokenTTL", Duration.ofHours(2));
    public static final Setting<NodeFetchMode> NODE_FETCH =
            new Setting<>("provisioning.bootstrap.nodeFetch", NodeFetchMode.AUTO);
    public static final Setting<Optional<String>> CLOUD_CREDENTIALS =
            new Setting<>("provisioning.cloudCredentialsSecretRef", Optional.empty());
    public static final Setting<String> DOWNLOADS_KUBERNETES = new Setting<>("provisioning.downloads.kubernetes", "");
    public static final Setting<String> DOWNLOADS_CNI_PLUGINS = new Setting<>("provisioning.downloads.cniPlugins", "");
    public static final Setting<String> DOWNLOADS_CRI_TOOLS = new Setting<>("provisioning.downloads.criTools", "");
    public static final Setting<String> DOWNLOADS_CONTAINERD = new Setting<>("provisioning.downloads.containerd", "");
    public static final Setting<String> DOWNLOADS_OS_PACKAGES = new Setting<>("provisioning.downloads.osPackages", "");
    public static final Setting<Boolean> AIR_GAPPED = new Setting<>("provisioning.airGapped", false);
    /** Empty for the limit of the cloud provider. */
    public static final Setting<Optional<Integer>> USER_DATA_LIMIT =
            new Setting<>("provisioning.userDataLimitBytes", Optional.empty());

    public static final Setting<List<String>> PROFILE_NAMESPACES = new Setting<>("profiles.namespaces", List.of());
    public static final Setting<InstallDefaults> INSTALL_DEFAULTS =
            new Setting<>("profiles.installDefaults", InstallDefaults.SHARED);
    /** Operating systems left out get {@code osp-<os>}. */
    public static final Setting<Map<String, String>> BY_OPERATING_SYSTEM =
            new Setting<>("profiles.byOperatingSystem", Map.of());

    public static final Setting<Integer> MAX_CONCURRENT_RECONCILES =
            new Setting<>("connection.maxConcurrentReconciles", 10);
    public static final Setting<Duration> REQUEST_TIMEOUT =
            new Setting<>("connection.requestTimeout", Duration.ofSeconds(10));
    public static final Setting<Duration> PING_INTERVAL =
            new Setting<>("connection.pingInterval", Duration.ofSeconds(10));
    public static final Setting<Integer> WRITES_PER_SECOND = new Setting<>("connection.writeBudget.perSecond", 200);
    public static final Setting<Integer> WRITE_BURST = new Setting<>("connection.writeBudget.burst", 1000);

    /** Empty for Managed if the hub has a URL for worker clusters, else None. */
    public static final Setting<Optional<Admission.Mode>> ADMISSION_MODE =
            new Setting<>("admission.mode", Optional.empty());

    public static final Setting<Admission.FailurePolicy> ADMISSION_FAILURE_POLICY =
            new Setting<>("admission.failurePolicy", Admission.FailurePolicy.IGNORE);
    public static final Setting<Integer> ADMISSION_TIMEOUT = new Setting<>("admission.timeoutSeconds", 5);

    /** In the order of the reference page. */
    public static final List<Setting<?>> ALL = List.of(
            CLUSTER_DNS,
            EXTERNAL_CLOUD_PROVIDER,
            FEATURE_GATES,
            INITIAL_TAINTS,
            CONTAINER_RUNTIME,
            PAUSE_IMAGE,
            DEVICE_OWNERSHIP,
            INSECURE_REGISTRIES,
            MIRRORS,
            REGISTRY_CREDENTIALS,
            HTTP_PROXY,
            HTTP_PROXY_SECRET,
            NO_PROXY,
            KUBERNETES_CA,
            HOST_CA,
            API_SERVER_URL,
            SERVICE_ACCOUNT,
            TOKEN_TTL,
            NODE_FETCH,
            CLOUD_CREDENTIALS,
            DOWNLOADS_KUBERNETES,
            DOWNLOADS_CNI_PLUGINS,
            DOWNLOADS_CRI_TOOLS,
            DOWNLOADS_CONTAINERD,
            DOWNLOADS_OS_PACKAGES,
            AIR_GAPPED,
            USER_DATA_LIMIT,
            PROFILE_NAMESPACES,
            INSTALL_DEFAULTS,
            BY_OPERATING_SYSTEM,
            MAX_CONCURRENT_RECONCILES,
            REQUEST_TIMEOUT,
            PING_INTERVAL,
            WRITES_PER_SECOND,
            WRITE_BURST,
            ADMISSION_MODE,
            ADMISSION_FAILURE_POLICY,
            ADMISSION_TIMEOUT);
}

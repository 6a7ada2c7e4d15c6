package io.osmhub.deploy.profiles.matrix;

import static java.util.Map.entry;

import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a tenant and a MachineDeployment may say beside provider and version. All hosts that it names end in {@code .internal.example}. */
enum TenantVariant {
    PLAIN("plain", "", "{}"),
    PROXY("proxy", "", """
            provisioning:
              proxy:
                noProxy: [.svc, .cluster.local, localhost, 127.0.0.1, 10.0.0.0/8, .internal.example]
            """),
    MIRRORS("mirrors and credentials", "", """
            provisioning:
              containerRuntime: {pauseImage: registry.internal.example/pause:3.10}
            """ + Parts.INTERNAL),
    AIR_GAP("air gap", "", "provisioning: {airGapped: true}"),
    AIR_GAP_MIRRORS("air gap with mirrors", "", """
            provisioning:
              airGapped: true
              containerRuntime: {pauseImage: registry.internal.example/pause:3.10}
            """ + Parts.INTERNAL),
    DUAL_STACK("dual stack", "IPv4+IPv6", "provisioning: {clusterDNS: [10.240.16.10, 'fd00:10:240::a']}"),
    IPV6("IPv6 only", "IPv6", "provisioning: {clusterDNS: ['fd00:10:240::a'], externalCloudProvider: true}"),
    EVERYTHING("all annotations", "IPv6+IPv4", """
            provisioning:
              clusterDNS: ['fd00:10:240::a', 10.240.16.10]
              externalCloudProvider: true
              kubelet:
                featureGates: {GracefulNodeShutdown: true, InPlacePodVerticalScaling: false}
                initialTaints:
                - {key: example.org/pool, value: workers, effect: NoSchedule}
                - {key: example.org/new, value: "", effect: NoExecute}
              containerRuntime:
                pauseImage: registry.internal.example/pause:3.10
                deviceOwnershipFromSecurityContext: true
            """ + Parts.INTERNAL);

    private static final String KUBELET = "v1.kubelet-config.machine-controller.kubermatic.io/";

    private final String label;
    private final String ipFamily;
    private final String settings;

    TenantVariant(String label, String ipFamily, String settings) {
        this.label = label;
        this.ipFamily = ipFamily;
        this.settings = settings;
    }

    /** For people. */
    String label() {
        return label;
    }

    String ipFamily() {
        return ipFamily;
    }

    Provisioning settings() {
        return Objects.requireNonNull(Parts.READ.get(this));
    }

    boolean airGapped() {
        return settings().airGapped();
    }

    boolean everything() {
        return this == EVERYTHING;
    }

    /** Whether the tenant has mirrors, with credentials and an authority of their own. */
    boolean mirrored() {
        return !settings().registries().mirrors().isEmpty();
    }

    RegistryCredentials registryCredentials() {
        return mirrored()
                ? new RegistryCredentials(new TreeMap<>(Map.of(
                        "mirror.internal.example",
                        new RegistryCredentials.Credential(
                                "reader", CanaryCredential.REGISTRY_PASSWORD.text(), "", ""))))
                : RegistryCredentials.NONE;
    }

    /** The proxy's URL out of a Secret; null without a proxy. */
    @Nullable Sensitive proxy() {
        return this == PROXY || everything()
                ? new Sensitive(
                        "http://nodes:" + CanaryCredential.PROXY_PASSWORD.text() + "@proxy.internal.example:3128")
                : null;
    }

    Map<String, String> annotations() {
        return everything()
                ? Map.ofEntries(
                        entry(KUBELET + "KubeReserved", "cpu=200m,memory=300Mi,ephemeral-storage=1Gi"),
                        entry(KUBELET + "SystemReserved", "cpu=100m,memory=200Mi"),
                        entry(KUBELET + "EvictionHard", "memory.available<200Mi,nodefs.available<10%"),
                        entry(KUBELET + "MaxPods", "120"),
                        entry(KUBELET + "ContainerLogMaxSize", "50Mi"),
                        entry(KUBELET + "ContainerLogMaxFiles", "4"),
                        entry(KUBELET + "ImageGCHighThresholdPercent", "80"),
                        entry(KUBELET + "ImageGCLowThresholdPercent", "70"),
                        entry(KUBELET + "ImageMinimumGCAge", "2m"),
                        entry(KUBELET + "ImageMaximumGCAge", "168h"))
                : Map.of();
    }

    /** What has to be there before the variants, and what can only be there after them. */
    private static final class Parts {
        static final String INTERNAL = """
              registries:
                insecure: [insecure.internal.example:5000]
                mirrors:
                - registry: docker.io
                  endpoints: [{url: https://mirror.internal.example}, {url: https://mirror.internal.example/v2/hub, overridePath: true}]
                - registry: registry.k8s.io
                  endpoints: [{url: https://mirror.internal.example}]
              downloads:
                kubernetes: https://files.internal.example/kubernetes
                cniPlugins: https://files.internal.example/cni
                criTools: https://files.internal.example/cri-tools
                containerd: https://files.internal.example/containerd
                osPackages: https://files.internal.example/packages
            """;

        static final Map<TenantVariant, Provisioning> READ = Arrays.stream(values())
                .collect(Collectors.toMap(variant -> variant, variant -> read(variant.label, variant.settings)));

        private static Provisioning read(String source, String text) {
            SettingsLayer layer = SettingsReader.readFile(YamlDocumentReader.read(source, text, Reason.SettingsInvalid)
                    .getFirst());
            return new LayeredSettings(layer, SettingsLayer.EMPTY)
                    .toTenantSettings()
                    .provisioning();
        }
    }
}

package io.osmhub.core.lint;

import static java.util.Map.entry;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.Bootstrap;
import io.osmhub.core.settings.TenantSettings.ContainerRuntime;
import io.osmhub.core.settings.TenantSettings.Downloads;
import io.osmhub.core.settings.TenantSettings.Endpoint;
import io.osmhub.core.settings.TenantSettings.Kubelet;
import io.osmhub.core.settings.TenantSettings.Mirror;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.Proxy;
import io.osmhub.core.settings.TenantSettings.Registries;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settings of a tenant and a MachineDeployment other than provider and version. Together the scenarios take each branch that the
 * fields of the context allow. The values are examples; names and addresses are reserved for documentation.
 */
enum LintScenario {
    /** All settings left out. */
    PLAIN("nothing set", "", false, false),
    EVERYTHING("everything set", "IPv4+IPv6", true, true),
    IPV6("IPv6 only", "IPv6", true, false),
    IPV6_FIRST("IPv6 before IPv4", "IPv6+IPv4", false, false);

    static final String CA = """
            -----BEGIN CERTIFICATE-----
            MIIBszCCAVmgAwIBAgIUHk1wq3Xr0s7mJ9b2fJpYvKx5c4IwCgYIKoZIzj0EAwIw
            FTETMBEGA1UEAwwKa3ViZXJuZXRlczAeFw0yNjAxMDEwMDAwMDBaFw0zNjAxMDEw
            MDAwMDBaMBUxEzARBgNVBAMMCmt1YmVybmV0ZXMwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAATexampleexampleexampleexampleexampleexampleexampleexample
            -----END CERTIFICATE-----
            """;

    private static final String KUBELET = "v1.kubelet-config.machine-controller.kubermatic.io/";
    private static final Provisioning BUILT_IN = new LayeredSettings(SettingsLayer.EMPTY, SettingsLayer.EMPTY)
            .toTenantSettings()
            .provisioning();

    private final String label;
    private final String ipFamily;
    private final boolean externalCloudProvider;
    private final boolean full;

    LintScenario(String label, String ipFamily, boolean externalCloudProvider, boolean full) {
        this.label = label;
        this.ipFamily = ipFamily;
        this.externalCloudProvider = externalCloudProvider;
        this.full = full;
    }

    String label() {
        return label;
    }

    boolean full() {
        return full;
    }

    String hostCa() {
        return full ? CA : "";
    }

    RegistryCredentials registryCredentials() {
        return full
                ? new RegistryCredentials(new TreeMap<>(Map.of(
                        "registry.example.org", new RegistryCredentials.Credential("reader", "pa$s\"word", "", ""))))
                : RegistryCredentials.NONE;
    }

    Provisioning settings() {
        return new Provisioning(
                ipFamily.isEmpty() ? List.of("10.240.16.10") : List.of("10.240.16.10", "fd00:10:240::a"),
                externalCloudProvider,
                new Kubelet(
                        full
                                ? new TreeMap<>(
                                        Map.of("GracefulNodeShutdown", true, "InPlacePodVerticalScaling", false))
                                : BUILT_IN.kubelet().featureGates(),
                        full ? "example.org/pool=workers:NoSchedule,example.org/new=:NoExecute" : ""),
                new ContainerRuntime("containerd", full ? "registry.example.org/pause:3.10" : "", full),
                full
                        ? new Registries(
                                List.of("insecure.example.org:5000"),
                                List.of(new Mirror(
                                        "docker.io",
                                        List.of(
                                                new Endpoint("https://mirror.example.org", false),
                                                new Endpoint("https://mirror.example.org/v2/hub", true)))),
                                null)
                        : BUILT_IN.registries(),
                full
                        ? new Proxy("http://proxy.example.org:3128", null, ".svc,.cluster.local,localhost,10.0.0.0/8")
                        : BUILT_IN.proxy(),
                BUILT_IN.kubernetesCa(),
                BUILT_IN.hostCa(),
                new Bootstrap(
                        "https://api.shop.example.org:6443",
                        null,
                        BUILT_IN.bootstrap().tokenTtl(),
                        BUILT_IN.bootstrap().nodeFetch()),
                null,
                full
                        ? new Downloads(
                                "https://files.example.org/kubernetes",
                                "https://files.example.org/cni",
                                "https://files.example.org/cri-tools",
                                "https://files.example.org/containerd",
                                "https://files.example.org/packages")
                        : BUILT_IN.downloads(),
                full,
                null);
    }

    Map<String, String> annotations() {
        return full
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

    /** {@code providerSpec.value} of the MachineDeployment as JSON. */
    String providerSpec(String operatingSystem, String utility, String cloudProvider) {
        JsonWriter json = new JsonWriter(JsonWriter.StringForm.TEXT, new StringBuilder());
        json.beginObject().field("cloudProvider", cloudProvider);
        json.key("cloudProviderSpec").beginObject().endObject();
        json.field("operatingSystem", operatingSystem);
        operatingSystemSpec(json.key("operatingSystemSpec"), operatingSystem, utility);
        if (!ipFamily.isEmpty()) {
            network(json.key("network"), operatingSystem);
        }
        if (full) {
            json.key("sshPublicKeys").beginArray();
            json.value("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJexamplekeyexamplekeyexamplekeyexampl ops@example.org")
                    .endArray();
            json.field("overwriteCloudConfig", "[Global]\nregion = \"example\"\n");
        }
        return json.endObject().toString();
    }

    private void operatingSystemSpec(JsonWriter json, String operatingSystem, String utility) {
        json.beginObject();
        switch (operatingSystem) {
            case "flatcar" -> {
                json.field("provisioningUtility", utility);
                for (String flag : List.of("disableAutoUpdate", "disableLocksmithD", "disableUpdateEngine")) {
                    json.key(flag).value(full);
                }
            }
            case "rhel" -> {
                json.key("distUpgradeOnBoot").value(full);
                json.key("attachSubscription").value(full);
                json.key("rhelUseSatelliteServer").value(this == IPV6);
                if (this != PLAIN) {
                    json.field("rhelSubscriptionManagerUser", "ops@example.org");
                    json.field("rhelSubscriptionManagerPassword", "pa$s \"word\"");
                    json.field("rhsmOfflineToken", "offline-token");
                    json.field("rhelSatelliteServer", "satellite.example.org");
                    json.field("rhelOrganizationName", "example");
                    json.field("rhelActivationKey", "activation-key");
                }
            }
            default -> json.key("distUpgradeOnBoot").value(full);
        }
        json.endObject();
    }

    private void network(JsonWriter json, String operatingSystem) {
        json.beginObject().field("ipFamily", ipFamily);
        // Other operating systems support no static address.
        if (full && operatingSystem.equals("flatcar")) {
            json.field("cidr", "192.0.2.10/24").field("gateway", "192.0.2.1");
            json.key("dns").beginObject().key("servers").beginArray();
            json.value("192.0.2.53").value("192.0.2.54").endArray().endObject();
        }
        json.endObject();
    }
}

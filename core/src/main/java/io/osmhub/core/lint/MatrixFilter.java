package io.osmhub.core.lint;

import static java.util.Map.entry;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfigResource.OperatingSystemName;
import io.osmhub.core.osc.OperatingSystemConfigResource.WireCloudProvider;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.RegistryCredentials;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.schema.FieldAnnotations.AllowedValues;
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
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.VersionConstraint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The combinations of a profile that are rendered. An empty set selects all.
 *
 * @param kubernetesVersions minor versions
 */
public record MatrixFilter(Set<String> operatingSystems, Set<String> cloudProviders, Set<String> kubernetesVersions) {
    public static final MatrixFilter ALL = new MatrixFilter(Set.of(), Set.of(), Set.of());

    public MatrixFilter {
        operatingSystems = Set.copyOf(operatingSystems);
        cloudProviders = Set.copyOf(cloudProviders);
        kubernetesVersions = Set.copyOf(kubernetesVersions);
    }

    /**
     * Parses names of operating systems and cloud providers and minor versions, in any order; the format tells them apart.
     *
     * @throws IllegalArgumentException for an unknown word; the message suggests a fix
     */
    public static MatrixFilter of(List<String> words) {
        List<String> systems = names(OperatingSystemName.class.getAnnotation(AllowedValues.class));
        List<String> providers = names(WireCloudProvider.class
                .getRecordComponents()[0]
                .getAnnotatedType()
                .getAnnotation(AllowedValues.class));
        Set<String> chosenSystems = new TreeSet<>();
        Set<String> chosenProviders = new TreeSet<>();
        Set<String> chosenVersions = new TreeSet<>();
        for (String word : words) {
            if (systems.contains(word)) {
                chosenSystems.add(word);
            } else if (providers.contains(word)) {
                chosenProviders.add(word);
            } else if (KubernetesVersions.MINORS.contains(word)) {
                chosenVersions.add(word);
            } else {
                throw new IllegalArgumentException(unknown(word, systems, providers));
            }
        }
        return new MatrixFilter(chosenSystems, chosenProviders, chosenVersions);
    }

    private static List<String> names(AllowedValues choices) {
        return Arrays.asList(Objects.requireNonNull(choices).value());
    }

    private static String unknown(String word, List<String> systems, List<String> providers) {
        if (!word.isEmpty() && Character.isDigit(word.charAt(0))) {
            return "\"" + word + "\" is not a rendered minor version; write one of " + KubernetesVersions.range();
        }
        List<String> known = new ArrayList<>(systems);
        known.addAll(providers);
        String guess = FindingsCollector.suggestClosest(word, known);
        return "\"" + word + "\" is not an operating system, cloud provider or Kubernetes minor version; "
                + (guess.isEmpty() ? "write for example ubuntu,aws,1.34" : guess);
    }

    boolean matches(String operatingSystem, String cloudProvider, String version) {
        return matches(operatingSystems, operatingSystem)
                && matches(cloudProviders, cloudProvider)
                && matches(kubernetesVersions, version);
    }

    private static boolean matches(Set<String> chosen, String one) {
        return chosen.isEmpty() || chosen.contains(one);
    }

    /** One combination in which a profile is rendered. {@code version} is a minor version, for example {@code 1.34}. */
    record MatrixCombination(String cloudProvider, String version, LintScenario situation) {
        private static final String NAMESPACE = "kube-system";
        private static final ApiServerEndpoint API_SERVER = new ApiServerEndpoint(
                "https://api.shop.example.org:6443",
                new TreeMap<>(Map.of(
                        "certificate-authority-data",
                        '"'
                                + Base64.getEncoder().encodeToString(LintScenario.CA.getBytes(StandardCharsets.UTF_8))
                                + '"')));
        private static final RenderInput.BootstrapAccess ACCESS = new RenderInput.BootstrapAccess(
                API_SERVER,
                new Sensitive("abcdef.0123456789abcdef"),
                new Sensitive("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl"));

        /** For users: {@code aws, Kubernetes 1.34, everything set}. */
        String label() {
            return cloudProvider + ", Kubernetes " + version + ", " + situation.label();
        }

        RenderInput input(OperatingSystemProfile profile, CompiledProfile compiled) {
            return input(profile, compiled, situation.settings());
        }

        /** With a tenant's settings instead of the scenario's. */
        RenderInput input(OperatingSystemProfile profile, CompiledProfile compiled, Provisioning settings) {
            OperatingSystemProfile.Spec spec = compiled.spec();
            String utility = spec.provisioningUtility().isEmpty() ? "cloud-init" : spec.provisioningUtility();
            Map<String, String> annotations = new HashMap<>(situation.annotations());
            annotations.put(MachineDeployment.PROFILE, profile.name());
            annotations.put(MachineDeployment.REVISION, "1");
            MachineDeployment machineDeployment = MachineDeployment.of(
                    NAMESPACE,
                    "workers",
                    annotations,
                    KubernetesVersions.version(version),
                    situation.providerSpec(spec.osName(), utility, cloudProvider));
            return new RenderInput(
                    NAMESPACE,
                    machineDeployment,
                    new RenderInput.Profile(profile.namespace(), profile.name(), compiled),
                    settings,
                    ACCESS,
                    new RenderInput.References(
                            LintScenario.CA, situation.hostCa(), situation.registryCredentials(), null, Map.of()),
                    reference -> new ReferenceResolver.ResolveResult.NoObject());
        }
    }

    /** The Kubernetes versions for which profiles are rendered, checked and tested. */
    public static final class KubernetesVersions {
        /** Minor versions, oldest first. */
        public static final List<String> MINORS = List.of("1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37");

        /** Patch version appended to a minor version. */
        private static final String PATCH = ".2";

        private KubernetesVersions() {}

        /** For users: {@code 1.31 to 1.37}. */
        public static String range() {
            return MINORS.getFirst() + " to " + MINORS.getLast();
        }

        /** A full version, as in a MachineDeployment. */
        public static String version(String minor) {
            return minor + PATCH;
        }

        /** Those that meet a constraint; all without a constraint or with an invalid one. */
        public static List<String> matching(@Nullable String constraint) {
            if (constraint == null) {
                return MINORS;
            }
            try {
                VersionConstraint parsed = VersionConstraint.parse(constraint);
                return MINORS.stream()
                        .filter(minor -> parsed.allows(parse(version(minor))))
                        .toList();
            } catch (InvalidVersionException e) {
                return MINORS;
            }
        }

        private static SemanticVersion parse(String version) {
            try {
                return SemanticVersion.parse(version);
            } catch (InvalidVersionException e) {
                throw new IllegalArgumentException(version, e);
            }
        }
    }

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
                            "registry.example.org",
                            new RegistryCredentials.Credential("reader", "pa$s\"word", "", ""))))
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
                            ? new Proxy(
                                    "http://proxy.example.org:3128", null, ".svc,.cluster.local,localhost,10.0.0.0/8")
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
            JsonWriter json = new JsonWriter();
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
}
